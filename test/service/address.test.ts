import { expect, test } from "vitest";
import { isLocalPart, parseAddress } from "../../src/service/address.js";
import { processorTime } from "../processor-time.js";

test.each([
  ["ada@example.com", "ada@example.com", null],
  [" ada@example.com ", "ada@example.com", null],
  ["<ada@example.com>", "ada@example.com", null],
  ["Ada Lovelace <ada@example.com>", "ada@example.com", "Ada Lovelace"],
  ["Ada<ada@example.com>", "ada@example.com", "Ada"],
  ['"Lovelace, Ada \\"The\\" <x>" <ada@example.com>', "ada@example.com", 'Lovelace, Ada "The" <x>'],
  ["Zoë <zoë@exämple.com>", "zoë@exämple.com", "Zoë"],
  ["a.b+c_d-e'f@sub.example.co.uk", "a.b+c_d-e'f@sub.example.co.uk", null],
  ["x@xn--exmple-cua.com", "x@xn--exmple-cua.com", null],
  [`${"a".repeat(64)}@example.com`, `${"a".repeat(64)}@example.com`, null],
])("%s is an address", (text, email, name) => {
  expect(parseAddress(text)).toEqual({ email, name });
});

test.each([
  "",
  " ",
  "ada",
  "@example.com",
  "ada@",
  "ada@example",
  "ada@example..com",
  "ada@.example.com",
  "ada@-example.com",
  "ada@example.com.",
  "ada@10.0.0.1",
  "ada@[10.0.0.1]",
  "a@b@example.com",
  ".ada@example.com",
  "ada.@example.com",
  "a..b@example.com",
  "a b@example.com",
  "ada@exam ple.com",
  "ada@example.com, bob@example.com",
  "ada@example.com;bob@example.com",
  "Ada <ada@example.com> x",
  "Ada, B <ada@example.com>",
  "Ada\n<ada@example.com>",
  "Ada <ada@example.com",
  '"Ada <ada@example.com>',
  `${"a".repeat(65)}@example.com`,
  `a@${"b".repeat(64)}.com`,
  `a@${"b.".repeat(130)}com`,
  `${" ".repeat(100_000)}<`,
  "ada@example.com\0",
])("%j is not an address", (text) => {
  expect(parseAddress(text)).toBeUndefined();
});

test("a local part is the part before the @", () => {
  for (const text of ["hello", "no-reply", "a.b", "ü"]) expect(isLocalPart(text)).toBe(true);
  for (const text of ["", "a@b", "a b", "a.", "<a>", "a,b", "a\r\n", "a".repeat(65)])
    expect(isLocalPart(text)).toBe(false);
});

test("a thousand long strings that are almost addresses are parsed quickly", async () => {
  const texts = [`a${" ".repeat(990)}b`, `"${" ".repeat(980)}" ${" ".repeat(10)}b`, `${"a ".repeat(490)}<b`];
  parseAddress("a");
  const taken = await processorTime(() => {
    for (let index = 0; index < 1_000; index += 1) {
      for (const text of texts) expect(parseAddress(text)).toBeUndefined();
    }
  });
  expect(taken).toBeLessThan(1_000);
});
