import { expect, test } from "vitest";
import { matches } from "../../src/testing/partial-match.js";

test.each([
  [{ a: 1, b: 2 }, { a: 1 }],
  [{ a: { b: [{ c: 1, d: 2 }] } }, { a: { b: [{ c: 1 }] } }],
  [{ at: new Date(0) }, { at: new Date(0) }],
  [{ a: undefined }, { a: undefined }],
  [{}, { a: undefined }],
  [{ a: Number.NaN }, { a: Number.NaN }],
  [{ a: "x" }, { a: expect.any(String) }],
  ["x", expect.stringContaining("x")],
  [{ a: "order 7" }, { a: /\d/g }],
  [{ a: new Uint8Array([1, 2]) }, { a: Buffer.from([1, 2]) }],
])("matches %j with %j", (actual, expected) => {
  expect(matches(actual, expected)).toBe(true);
});

test.each([
  [{ a: 1 }, { a: 2 }],
  [{ a: 1 }, { b: 1 }],
  [{ a: [1, 2] }, { a: [1] }],
  [{ a: { 0: 1, length: 1 } }, { a: [1] }],
  [{ a: null }, { a: {} }],
  [{ a: "1" }, { a: 1 }],
  [{ at: new Date(0) }, { at: new Date(1) }],
  [{ at: "1970-01-01" }, { at: new Date(0) }],
  [{ a: 1 }, { a: expect.any(String) }],
  [{ a: "order" }, { a: /\d/ }],
  [{ a: 7 }, { a: /\d/ }],
  [{ a: new Uint8Array([1, 2]) }, { a: new Uint8Array([1]) }],
  [{ a: [1, 2] }, { a: new Uint8Array([1, 2]) }],
  [null, { a: 1 }],
])("does not match %j with %j", (actual, expected) => {
  expect(matches(actual, expected)).toBe(false);
});
