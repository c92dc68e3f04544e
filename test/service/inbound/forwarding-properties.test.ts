import * as fc from "fast-check";
import PostalMime from "postal-mime";
import { afterAll, expect, test } from "vitest";
import { notifySender } from "../../../src/service/inbound/messages.js";
import { SenderRewriting } from "../../../src/service/inbound/srs.js";
import { anyString } from "../../any-string.js";
import { type Api, startApi } from "../harness.js";
import { rawClient } from "./smtp.js";

const isLong = process.env["MODE"] === "long";
const DAY_MS = 24 * 60 * 60_000;
const NOW = 1_795_000_000_000;

const api: Api = await startApi(
  { seed: { domains: [{ name: "example.test", aliases: [{ alias: "*", forward: "ada@example.com" }] }] } },
  afterAll,
);

const newline = fc.constantFrom("\r\n", "\n", "\r", "\n\r");
const headerName = fc.constantFrom("From", "To", "Subject", "Content-Type", "Received", "Message-ID", "X", "", " ");
const headerValue = fc.oneof(
  anyString(),
  fc.constantFrom("multipart/mixed; boundary=b", "=?utf-8?B?Cg==?=", "<a@b.example>", "text/html; charset=utf-7", '"('),
);
const header = fc.tuple(headerName, headerValue, newline).map(([name, value, end]) => `${name}: ${value}${end}`);
const body = fc.array(fc.oneof(anyString(), newline, fc.constantFrom("--b", "--b--", ".", "..", "=0D=0A", "\0")));
const message = fc.oneof(
  fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
  fc
    .tuple(fc.array(header), newline, body)
    .map(([headers, end, parts]) => Buffer.from([...headers, end, ...parts].join(""))),
);

const ADDED =
  /^Delivered-To: a@example\.test\r\nX-Forwarded-To: ada@example\.com\r\nReceived: from [^\r\n]+\r\n(?:Message-ID: <[^\r\n]+>\r\n)?$/;

/** What was forwarded since the last call. */
async function takeForwarded(): Promise<Buffer> {
  await expect.poll(() => api.service.mail.total("forwarded"), { interval: 5 }).toBe(1);
  const [mail] = api.service.mail.list({ folder: "forwarded" });
  const opened = await api.service.mail.open(mail?.id ?? "");
  await api.service.mail.deleteAll();
  return Buffer.from(opened?.source ?? []);
}

function expectForwarded(source: Buffer, original: Buffer): void {
  const start = source.length - original.length;
  expect(source.subarray(start)).toEqual(original);
  expect(source.subarray(0, start).toString()).toMatch(ADDED);
}

test(
  "any message is refused or forwarded byte for byte, with headers before its own",
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(message, async (raw) => {
        const isAccepted = await api.service.receive({ raw, from: "b@c.example", to: "a@example.test" }).then(
          () => true,
          (error: unknown) => {
            expect(error).toMatchObject({ name: "RefusedError", smtpCode: 554 });
            return false;
          },
        );
        if (isAccepted) expectForwarded(await takeForwarded(), raw);
      }),
      { seed: 26, numRuns: isLong ? 2_000 : 100 },
    );
  },
);

test("any lines that come by SMTP are forwarded byte for byte", { timeout: 600_000 }, async () => {
  const { send } = await rawClient(api.service.smtpPort);
  await send("EHLO client.example\r\n");
  const line = fc.oneof(
    fc.string({ unit: fc.constantFrom(".", "x", "\r", "\0", "é") }),
    fc.constantFrom("", ".", ".."),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 20 }), async (lines) => {
      const original = ["X: 1", "", ...lines, ""];
      const stuffed = original.map((each) => (each.startsWith(".") ? `.${each}` : each)).join("\r\n");
      await send("MAIL FROM:<b@c.example> BODY=8BITMIME\r\nRCPT TO:<a@example.test>\r\nDATA\r\n", 3);
      expect(await send(`${stuffed}.\r\n`)).toEqual([expect.stringMatching(/^250/)]);
      expectForwarded(await takeForwarded(), Buffer.from(original.join("\r\n")));
    }),
    { seed: 26, numRuns: isLong ? 1_000 : 60 },
  );
});

const atom = fc.string({ unit: fc.constantFrom(...Array.from("abcXYZ019.=+_-!#'é")), minLength: 1, maxLength: 80 });
const host = fc
  .array(fc.string({ unit: fc.constantFrom(...Array.from("abcXYZ019")), minLength: 1, maxLength: 20 }), {
    minLength: 2,
    maxLength: 4,
  })
  .map((labels) => labels.join(".").toLowerCase());
const address = fc.tuple(atom, host).map(([local, domain]) => `${local}@${domain}`);

test("bounces find the original sender for three weeks, even if a server changed the case of the address", () => {
  const senders = new SenderRewriting(Buffer.alloc(32, 7));
  fc.assert(
    fc.property(address, fc.nat({ max: 4_000 }), fc.nat({ max: 30 }), (sender, day, age) => {
      const sentAt = NOW + day * DAY_MS;
      const rewritten = senders.rewrite(sender, "forwarder.test", sentAt);
      const bouncedAt = sentAt + age * DAY_MS;
      expect(rewritten).toMatch(/@forwarder\.test$/);
      expect(senders.original(rewritten, bouncedAt)).toBe(age <= 21 ? sender : undefined);
      expect(senders.original(rewritten.toUpperCase(), bouncedAt)?.toLowerCase()).toBe(
        age <= 21 ? sender.toUpperCase().toLowerCase() : undefined,
      );
    }),
    { seed: 26 },
  );
});

test("a sender whose rewritten address would be too long for servers becomes empty", () => {
  const senders = new SenderRewriting(Buffer.alloc(32, 7));
  const sender = (length: number) => `${"a".repeat(length)}@shop.example`;
  expect(senders.rewrite(sender(209), "forwarder.test", NOW)).toHaveLength(254);
  expect(senders.rewrite(sender(210), "forwarder.test", NOW)).toBe("");
  expect(senders.rewrite("bob@Forwarder.test", "FORWARDER.test", NOW)).toBe("bob@Forwarder.test");
});

test("a sender at an international domain is rewritten in ASCII", () => {
  const senders = new SenderRewriting(Buffer.alloc(32, 7));
  const rewritten = senders.rewrite("bob@Bücher.example", "forwarder.test", NOW);
  expect(rewritten).toContain("=xn--bcher-kva.example=bob@");
  expect(senders.original(rewritten, NOW)).toBe("bob@xn--bcher-kva.example");
});

test("a rewritten sender that was forged or changed leads nowhere", () => {
  const senders = new SenderRewriting(Buffer.alloc(32, 7));
  const others = new SenderRewriting(Buffer.alloc(32, 8));
  fc.assert(
    fc.property(address, fc.nat(), fc.constantFrom("a", "7", "=", "-"), (sender, position, character) => {
      const rewritten = senders.rewrite(sender, "forwarder.test", NOW);
      expect(senders.original(others.rewrite(sender, "forwarder.test", NOW), NOW)).toBeUndefined();
      const at = position % rewritten.lastIndexOf("@");
      const changed = `${rewritten.slice(0, at)}${character}${rewritten.slice(at + 1)}`;
      fc.pre(changed.toLowerCase() !== rewritten.toLowerCase());
      expect(senders.original(changed, NOW)).toBeUndefined();
    }),
    { seed: 26 },
  );
});

test("any delivery status notification has one block of fields for each failed delivery, and nothing else", async () => {
  const failed = fc.record({ recipient: address, code: fc.integer({ min: 400, max: 599 }), message: anyString() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(failed, { minLength: 1, maxLength: 5 }),
      message,
      address,
      async (list, source, sender) => {
        const notice = await PostalMime.parse(await notifySender({ id: `${NOW}.0`, failed: list, source, sender }));
        expect(notice.headers.map(({ key }) => key)).toEqual([
          "from",
          "to",
          "subject",
          "date",
          "message-id",
          "auto-submitted",
          "mime-version",
          "content-type",
        ]);
        expect(notice.attachments.map(({ mimeType }) => mimeType)).toEqual([
          "message/delivery-status",
          "text/rfc822-headers",
        ]);
        const [report] = notice.attachments.map(({ content }) =>
          typeof content === "string" ? content : new TextDecoder().decode(content),
        );
        const blocks = (report ?? "").trim().split(/\r?\n\r?\n/);
        const fields = blocks.map((block) => block.split(/\r?\n/).map((field) => field.replace(/:.*/s, "")));
        expect(fields).toEqual([
          ["Reporting-MTA"],
          ...list.map(() => ["Final-Recipient", "Action", "Status", "Diagnostic-Code"]),
        ]);
      },
    ),
    { seed: 26 },
  );
});

const localPart = fc.string({ unit: fc.constantFrom("a", "b", "c", "A", "B"), minLength: 1, maxLength: 3 });
const patterns = { "/^a/": /^a/, "/b$/": /b$/, "/^.c/": /^.c/, "/^(a|c)+$/": /^(a|c)+$/ };
const aliasNames = fc.uniqueArray(fc.oneof(localPart, fc.constantFrom("*", ...Object.keys(patterns))), {
  selector: (name) => name.toLowerCase(),
  maxLength: 8,
});

/** The alias that an email to this local part belongs to. */
function aliasOf(names: readonly string[], local: string): string | undefined {
  const exact = names.find((name) => name.toLowerCase() === local.toLowerCase());
  const matching = names.find((name) =>
    Object.entries(patterns).some(([key, regex]) => key === name && regex.test(local)),
  );
  return exact ?? matching ?? names.find((name) => name === "*");
}

test(
  "any aliases: the exact one comes first, then the first regular expression, then the catch-all",
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(aliasNames, fc.array(localPart, { minLength: 1, maxLength: 6 }), async (names, locals) => {
        const aliases = names.map((alias, index) => ({ alias, forward: `to-${index}@other.example` }));
        const { service } = await startApi({ seed: { domains: [{ name: "example.test", aliases }] } });
        for (const local of locals) {
          const alias = aliasOf(names, local);
          const received = service.receive({ from: "b@c.example", to: `${local}@example.test`, subject: local });
          if (alias === undefined) await expect(received).rejects.toThrow("5.1.1 There is no alias or rule");
          else {
            await received;
            await expect
              .poll(() => service.mail.list({ folder: "forwarded" })[0]?.recipients[0]?.email, { interval: 5 })
              .toBe(`to-${names.indexOf(alias)}@other.example`);
          }
          await service.mail.deleteAll();
        }
        await service.close();
      }),
      { seed: 26, numRuns: isLong ? 300 : 15 },
    );
  },
);
