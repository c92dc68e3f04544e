import * as fc from "fast-check";
import { inspect } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import type { RecipientsConfig } from "../../../src/project/index.js";
import { createMailer, type Envelope, type Mailer } from "../../../src/send/index.js";
import { recipientsPolicy } from "../../../src/send/message/recipients.js";
import { emailOf } from "../../../src/send/parcel.js";
import { startService } from "../../../src/service/index.js";
import { answerJson, rejection, serve } from "../../api/servers.js";
import { registryOf, type TemplateVariables } from "../registry.js";
import { VirtualClock } from "../virtual-clock.js";

const order = { number: "7", total: 12.5 };

/** A mailer of an environment `staging`, and the requests that the service received. */
async function staging(recipients?: RecipientsConfig, others: object = {}) {
  const { url, seen: asked } = await serve((_, response) =>
    answerJson(response, 200, { id: "1.a", message_id: "<1@example.com>" }),
  );
  // A mailer also requests the account's plan.
  const seen = () => asked.filter(({ method }) => method === "POST");
  const environment = {
    url,
    domain: "example.com",
    version: "v4" as const,
    keyVariable: "MAIL_KEY_OF_THE_TEST",
    ...(recipients && { recipients }),
    ...others,
  };
  const mailer: Mailer<TemplateVariables> = createMailer({
    templates: registryOf({ staging: environment }),
    environment: "staging",
    apiKey: "key-of-the-test",
    from: "shop",
    clock: new VirtualClock(),
  });
  onTestFinished(() => mailer.close());
  const bodies = () => seen().map(({ body }): unknown => JSON.parse(body));
  return { mailer, seen, bodies };
}

describe("without an address to redirect to", () => {
  const allow = ["@example.com", "*@bücher.example", "Ada@Partner.example", "qa+*@example.org"];

  test.each<Envelope>([
    { to: "anybody@example.com" },
    { to: "Anybody@EXAMPLE.com" },
    { to: ["a@bücher.example", "b@xn--bcher-kva.example"], cc: "Ada <ada@partner.example>" },
    { to: { name: "Lovelace, Ada", email: "ADA@partner.example" }, bcc: ["qa+1@example.org"] },
  ])("allows %j", async (envelope) => {
    const { mailer, seen } = await staging({ allow });
    await mailer.send("receipt", { order }, envelope);
    expect(seen()).toHaveLength(1);
  });

  test.each<[Envelope, string[]]>([
    [{ to: "ada@example.org" }, ["to"]],
    [{ to: "ada@sub.example.com" }, ["to"]],
    [{ to: "ada@example.com.evil.example" }, ["to"]],
    [{ to: "ada@notexample.com" }, ["to"]],
    [{ to: "example.com <a@evil.example>" }, ["to"]],
    [{ to: `"a@example.com"@evil.example` }, ["to"]],
    [{ to: { name: "a@example.com", email: "a@evil.example" } }, ["to"]],
    [
      { to: ["a@example.com", "bob@partner.example"], cc: ["x@evil.example"], bcc: "qa@example.org" },
      ["to[1]", "cc[0]", "bcc"],
    ],
  ])("refuses %j before anything is sent", async (envelope, paths) => {
    const { mailer, seen } = await staging({ allow });
    const error = await rejection(mailer.send("receipt", { order }, envelope));
    expect(error).toMatchObject({ code: "invalid_message" });
    expect((error as { problems?: { path: string }[] }).problems?.map(({ path }) => path)).toEqual(paths);
    expect(String(error)).toMatch(/"staging"[^]*recipients\.allow/);
    expect(inspect(error)).not.toMatch(/@(?!ts|vitest)/);
    expect(seen()).toHaveLength(0);
  });

  test("applies to messages without a template, and reports other problems too", async () => {
    const { mailer, seen } = await staging({ allow: [] });
    const error = await rejection(
      mailer.sendMessage({ to: ["ada@example.com", "no address"], subject: "", text: "Hi" }),
    );
    expect((error as { problems?: { path: string }[] }).problems?.map(({ path }) => path).toSorted()).toEqual([
      "subject",
      "to[0]",
      "to[1]",
    ]);
    expect(seen()).toHaveLength(0);
  });
});

describe("with an address to redirect to", () => {
  const recipients = { allow: ["@example.com"], redirectTo: "inbox@staging.example" };

  test.each<[string, Envelope, object]>([
    ["leaves allowed recipients unchanged", { to: "Ada <a@example.com>", cc: [] }, { to: ["Ada <a@example.com>"] }],
    [
      "puts the original recipient into the inbox's name",
      { to: "ada@example.org" },
      { to: [`"ada@example.org" <inbox@staging.example>`] },
    ],
    [
      "makes one of several recipients",
      { to: ["a@x.example", "A <b@x.example>", "ok@example.com"], cc: ["c@x.example"], bcc: ["b@example.com"] },
      {
        to: ["ok@example.com", `"a@x.example, b@x.example, c@x.example" <inbox@staging.example>`],
        bcc: ["b@example.com"],
      },
    ],
    [
      "keeps a copy a copy",
      { to: "ok@example.com", cc: ["c@x.example", "d@x.example"] },
      { to: ["ok@example.com"], cc: [`"c@x.example, d@x.example" <inbox@staging.example>`] },
    ],
    [
      "keeps a blind copy a blind copy",
      { to: "ok@example.com", bcc: ["c@x.example"] },
      { to: ["ok@example.com"], bcc: [`"c@x.example" <inbox@staging.example>`] },
    ],
    [
      "does not name recipients of blind copies to others",
      { to: ["ok@example.com", "a@x.example"], bcc: ["secret@x.example"] },
      { to: ["ok@example.com", `"a@x.example and 1 more" <inbox@staging.example>`] },
    ],
    [
      "allows the inbox itself, without a second copy",
      { to: "Inbox@Staging.example", cc: "a@x.example", bcc: "secret@x.example" },
      { to: [`"a@x.example and 1 more" <inbox@staging.example>`] },
    ],
    [
      "keeps a quote in an address in the name",
      { to: `"a,\\"b"@x.example` },
      { to: [String.raw`"\"a,\\\"b\"@x.example" <inbox@staging.example>`] },
    ],
  ])("%s", async (_, envelope, expected) => {
    const { mailer, bodies } = await staging(recipients);
    await mailer.send("receipt", { order }, { ...envelope, replyTo: "help@elsewhere.example" });
    const [body] = bodies() as Record<string, unknown>[];
    const { to, cc, bcc } = body ?? {};
    expect({ to, ...(cc !== undefined && { cc }), ...(bcc !== undefined && { bcc }) }).toEqual(expected);
    expect(body).toMatchObject({ template: "receipt", reply_to: "help@elsewhere.example" });
  });

  test("never sends to anyone else, and at most one copy to the inbox", () => {
    const policy = recipientsPolicy(recipients, "staging");
    const email = fc
      .tuple(
        fc.constantFrom("a", "b", "inbox", `"x y"`),
        fc.constantFrom("example.com", "staging.example", "x.example"),
      )
      .map((parts) => parts.join("@"));
    const address = fc.oneof(
      email,
      email.map((each) => `"Name, A" <${each}>`),
    );
    const field = fc.array(address, { maxLength: 60 });
    fc.assert(
      fc.property(field, field, field, (to, cc, bcc) => {
        const { to: first, cc: second = [], bcc: third = [] } = policy.redirect({ to, cc, bcc });
        const all = [...first, ...second, ...third];
        for (const each of all) {
          expect(emailOf(each)).toMatch(/@example\.com$|^inbox@staging\.example$/);
          expect(each.length).toBeLessThan(998);
        }
        const isForOthers = [...to, ...cc, ...bcc].some((each) => !/@example\.com$|^inbox@/.test(emailOf(each)));
        if (isForOthers) expect(all.filter((each) => emailOf(each) === "inbox@staging.example")).toHaveLength(1);
        // No recipient is lost.
        expect(all.length > 0).toBe([...to, ...cc, ...bcc].length > 0);
      }),
    );
  });

  test("arrives at the inbox, with the original recipients", async () => {
    const service = await startService({ data: ":memory:", port: 0 });
    onTestFinished(() => service.close());
    const { url, domain, apiKey } = service;
    const environment = { url, domain, version: "v3" as const, keyVariable: "MAIL_KEY", recipients };
    const mailer = createMailer({
      templates: registryOf({ staging: environment }),
      environment: "staging",
      apiKey,
      from: "shop",
    });
    onTestFinished(() => mailer.close());
    const { id } = await mailer.sendMessage({ to: ["ada@example.org"], subject: "Hi", text: "Hi" });
    expect(await service.mail.open(id)).toMatchObject({
      subject: "Hi",
      to: [{ name: "ada@example.org", email: "inbox@staging.example" }],
    });
  });
});

test("holds nothing back without a recipients setting", async () => {
  const { mailer, bodies } = await staging();
  await mailer.send("receipt", { order }, { to: "Ada <ada@example.org>", cc: [] });
  expect(bodies()).toMatchObject([{ to: ["Ada <ada@example.org>"] }]);
});

test("adds the environment's affixes to the template's name", async () => {
  const { mailer, bodies } = await staging(undefined, { namePrefix: "staging-", nameSuffix: "_2" });
  await mailer.send("receipt", { order }, { to: "ada@example.org" });
  expect(bodies()).toMatchObject([{ template: "staging-receipt_2" }]);
});

test("throws for an invalid redirect address when the mailer is created", async () => {
  await expect(staging({ allow: [], redirectTo: "inbox@nowhere" })).rejects.toMatchObject({
    code: "configuration",
    message: expect.stringContaining(`recipients.redirectTo of the environment "staging" is "inbox@nowhere"`),
  });
});
