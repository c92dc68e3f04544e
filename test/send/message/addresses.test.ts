import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readAddress, readAddresses, readFrom } from "../../../src/send/message/addresses.js";
import { anyString } from "../../any-string.js";
import { check, lines } from "../collect.js";
import { processorTime } from "../../processor-time.js";

const read = (address: Parameters<typeof readAddress>[0]) => check((report) => readAddress(address, "to", report));

test.each([
  ["ada@example.com", "ada@example.com"],
  ["  ada@example.com ", "ada@example.com"],
  ["Ada Lovelace <ada@example.com>", "Ada Lovelace <ada@example.com>"],
  ["<ada@example.com>", "ada@example.com"],
  ['"Lovelace, Ada" <ada@example.com>', '"Lovelace, Ada" <ada@example.com>'],
  ['"Ada \\"the\\" First" <ada@example.com>', '"Ada \\"the\\" First" <ada@example.com>'],
  ["ada@work.example <ada@example.com>", '"ada@work.example" <ada@example.com>'],
  ["Zoë Ödegård <zoe@example.com>", "Zoë Ödegård <zoe@example.com>"],
  ["first.last+tag_1%x@sub.example.co.uk", "first.last+tag_1%x@sub.example.co.uk"],
  ["o'hara@example.com", "o'hara@example.com"],
  ["grüße@example.com", "grüße@example.com"],
  ["ada@BÜCHER.example", "ada@xn--bcher-kva.example"],
  ["ada@xn--bcher-kva.example", "ada@xn--bcher-kva.example"],
  ["ada@例え.テスト", "ada@xn--r8jz45g.xn--zckzah"],
  ['"a b"@example.com', '"a b"@example.com'],
  ['"a,b"@example.com', '"a,b"@example.com'],
  [{ email: "ada@example.com" }, "ada@example.com"],
  [{ name: "", email: "ada@example.com" }, "ada@example.com"],
  ["ada@example.com\ufeff", "ada@example.com"],
  ["ada@ｅxample。com", "ada@example.com"],
  ["ada@نامه‌ای.com", "ada@xn--mgba3gch31f060k.com"],
  [
    '"very.(),:;<>[]\\".VERY.\\"very@\\\\ \\"very\\".unusual"@strange.example.com',
    '"very.(),:;<>[]\\".VERY.\\"very@\\\\ \\"very\\".unusual"@strange.example.com',
  ],
  ["Dr. Ada (Home) <ada@example.com>", '"Dr. Ada (Home)" <ada@example.com>'],
  ["👩\u200d💻 Ada <ada@example.com>", "👩\u200d💻 Ada <ada@example.com>"],
  ["آدا <ada@example.com>", "آدا <ada@example.com>"],
  ["زهرا پوردل\u200cآرا <ada@example.com>", "زهرا پوردل\u200cآرا <ada@example.com>"],
  ["\u200fעדה\u200f (Ada) <ada@example.com>", '"\u200fעדה\u200f (Ada)" <ada@example.com>'],
  ["❤\ufe0f Ada <ada@example.com>", "❤\ufe0f Ada <ada@example.com>"],
  [{ name: "\ufeffAda", email: "ada@example.com" }, "Ada <ada@example.com>"],
  [
    { name: "Lovelace, Ada <eve@example.com>", email: "ada@example.com" },
    '"Lovelace, Ada <eve@example.com>" <ada@example.com>',
  ],
  [{ name: 'back\\slash "x"', email: "ada@example.com" }, '"back\\\\slash \\"x\\"" <ada@example.com>'],
  [`${"a".repeat(64)}@example.com`, `${"a".repeat(64)}@example.com`],
])("sends %j as %j", (address, sent) => {
  expect(read(address)).toEqual({ value: sent, problems: [] });
});

test.each([
  ["", "is empty"],
  ["ada", "has no @"],
  ["ada@", "not a domain"],
  ["@example.com", "before the @"],
  ["ada@example", "not a domain"],
  ["ada@example..com", "not a domain"],
  ["ada@example.com.", "not a domain"],
  ["ada@-example.com", "not a domain"],
  ["ada@exa mple.com", "not a domain"],
  ["ada@127.0.0.1", "not a domain"],
  ["ada@0x7f.1", "not a domain"],
  ["ada@[127.0.0.1]", "not a domain"],
  ["ada@ex%61mple.com", "not a domain"],
  [`ada@${"a".repeat(64)}.com`, "not a domain"],
  ["a..b@example.com", "before the @"],
  [".ada@example.com", "before the @"],
  ["a b@example.com", "before the @"],
  ["a\u200bda@example.com", "invisible"],
  ["a\u00a0da@example.com", "invisible"],
  ["a\u3164da@example.com", "invisible"],
  ["a\ufe0fda@example.com", "invisible"],
  ["ada\u2800@example.com", "invisible"],
  ["ada@exam\u00adple.com", "invisible"],
  ["ada@example\u200b.com", "invisible"],
  ["Ada\u202e <ada@example.com>", "name that contains characters that reverse the writing direction"],
  ["\u2066Ada\u2069 <ada@example.com>", "reverse the writing direction"],
  ["Sup\u200bport <ada@example.com>", "name that contains an invisible character"],
  ["\u3164 <ada@example.com>", "name that contains an invisible character"],
  [{ name: "moc.elpmaxe@ada\u202e", email: "eve@example.com" }, "reverse the writing direction"],
  [{ name: "\u2060Ada", email: "ada@example.com" }, "invisible character"],
  ["undisclosed-recipients:;", "several addresses"],
  ["Friends: ada@example.com, bob@example.com;", "several addresses"],
  ["mailto:ada@example.com", "before the @"],
  ["ada@example.com (Ada)", "not a domain"],
  ["ada＠example.com", "has no @"],
  [`${"a".repeat(65)}@example.com`, "64 bytes"],
  [`${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.example.com`, "longer than an address"],
  ["ada@example.com, bob@example.com", "several addresses"],
  ["ada@example.com;bob@example.com", "several addresses"],
  ["Ada, Bob <ada@example.com>", "several addresses"],
  ["Ada <ada@example.com> Bob", "before the @"],
  ["A <b> <ada@example.com>", "{ name, email }"],
  ["ada@example.com\n", "line break"],
  ["ada@example.com\r\nBcc: eve@example.com", "line break"],
  ["Ada\u2028Eve <ada@example.com>", "line break"],
  ["Ada\u0000 <ada@example.com>", "control character"],
  ["=?utf-8?Q?Ada=0D=0ABcc:_eve=40example.com?= <ada@example.com>", "contains a line break, in an encoded word"],
  [{ name: "Ada\nBcc: eve@example.com", email: "ada@example.com" }, "line break"],
  [{ email: "ada@example.com\n" }, "line break"],
  [{ email: "Ada <ada@example.com>" }, "before the @"],
])("refuses %j: %s", (address, reason) => {
  const { value, problems } = read(address);
  expect(value).toBeUndefined();
  expect(lines(problems)).toEqual([expect.stringContaining(reason)]);
});

test("reports values of other types, which JavaScript may pass", () => {
  for (const value of [undefined, null, 7, {}, { name: 7, email: "ada@example.com" }]) {
    expect(lines(read(value as string).problems)).toEqual(["to: is neither a string nor { name, email }"]);
  }
});

test("refuses a list where one address is expected", () => {
  expect(lines(read(["ada@example.com"] as never).problems)).toEqual(["to: is a list; pass one address"]);
});

test("reports each address of a list separately", () => {
  const { value, problems } = check((report) =>
    readAddresses(["ada@example.com", "bob", { email: "eve@example.com" }, "x@y"], "cc", report),
  );
  expect(value).toEqual(["ada@example.com", "eve@example.com"]);
  expect(problems.map(({ path }) => path)).toEqual(["cc[1]", "cc[3]"]);
});

test("keeps a name a name, whatever it contains", () => {
  fc.assert(
    fc.property(anyString(), (name) => {
      const { value } = read({ name, email: "ada@example.com" });
      if (value === undefined) return;
      expect(value.endsWith("ada@example.com") || value.endsWith("<ada@example.com>")).toBe(true);
      const outsideOfQuotes = value.replace(/"(?:[^"\\]|\\.)*"/gs, "");
      expect(outsideOfQuotes.match(/[<>,;:"\r\n]/g) ?? []).toEqual(name.trim() === "" ? [] : ["<", ">"]);
    }),
  );
});

test("reads any string quickly without throwing, and quotes none in problems", async () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "@", ".", '"', "\\", "<", ">", " ", ",", "ü"), maxLength: 40 }),
      (text) => {
        const { problems } = read(`${text}Secret7`);
        expect(JSON.stringify(problems)).not.toContain("Secret7");
      },
    ),
  );
  const taken = await processorTime(() => {
    read(`"${"\\".repeat(50_000)}@${".".repeat(50_000)}`);
    read(`${"a.".repeat(50_000)}@example.com`);
    read(`a${" ".repeat(50_000)}<ada@example.com`);
    read({ name: " ".repeat(50_000), email: `${"a.".repeat(50_000)}@example.com` });
  });
  expect(taken).toBeLessThan(1000);
});

const from = (value: string | undefined, domain = "example.com") => check((report) => readFrom(value, domain, report));

test.each([
  ["receipts", "receipts"],
  ["receipts@example.com", "receipts"],
  ["receipts@EXAMPLE.com", "receipts"],
  ["no-reply+shop", "no-reply+shop"],
])("derives from %j the local part %j", (value, localPart) => {
  expect(from(value)).toEqual({ value: localPart, problems: [] });
});

test("accepts any domain in from for the local service", () => {
  expect(from("receipts@example.org", "example.test")).toEqual({ value: "receipts", problems: [] });
});

test("accepts from in either form of an international domain", () => {
  expect(from("hallo@bücher.example", "xn--bcher-kva.example").value).toBe("hallo");
  expect(from("hallo@xn--bcher-kva.example", "bücher.example").value).toBe("hallo");
});

test.each([
  [undefined, "is missing"],
  ["", "is missing"],
  [{ name: "Shop", email: "receipts@example.com" } as never, "is not a string"],
  ["Shop <receipts@example.com>", "the service does not support"],
  ["receipts@example.org", "is not at the environment's domain, example.com"],
  ["Shop Receipts", "is not valid before an @"],
  ["receipts\n", "line break"],
])("refuses from %j: %s", (value, reason) => {
  const { value: localPart, problems } = from(value);
  expect(localPart).toBeUndefined();
  expect(lines(problems)).toEqual([expect.stringContaining(reason)]);
});
