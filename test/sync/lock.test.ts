import * as fc from "fast-check";
import { expect, test } from "vitest";
import { environmentKey, type Lock, parseLock, printLock, provesUnchanged } from "../../src/sync/lock.js";

const contract = { input: { type: "object", properties: { a: { type: "string" } } }, conditions: [] } as const;

test("reads a lock as it was printed", () => {
  const entry = fc.record(
    {
      updatedAt: fc.constantFrom("2026-08-12T09:30:00Z", "2026-08-12T09:30:00+00:00"),
      applied: fc.stringMatching(/^[\w-]{10}$/),
      stored: fc.stringMatching(/^[\w-]{10}$/),
      seen: fc.integer({ min: 0, max: 2 ** 40 }),
      isUnmarked: fc.constant(true as const),
      contract: fc.constant(contract),
    },
    { requiredKeys: ["updatedAt", "applied", "stored"] },
  );
  const name = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,20}$/);
  const entries = fc.array(fc.tuple(name, entry)).map((pairs) => new Map(pairs));
  const environment = fc.string().map((domain) => `https://api.example.com ${domain}`);
  const lock = fc.array(fc.tuple(environment, entries)).map((pairs): Lock => new Map(pairs));
  fc.assert(
    fc.property(lock, (written) => {
      expect(parseLock(printLock(written))).toEqual(written);
    }),
  );
});

test("reads any file without failing", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const lock = parseLock(text);
      expect(lock === undefined || lock instanceof Map).toBe(true);
    }),
  );
});

test.each([
  ["another version", `{ "version": 2, "environments": {} }`],
  ["half a file", `{ "version": 1, "envir`],
  ["a file with merge markers", `<<<<<<< HEAD\n{ "version": 1 }`],
])("does not read %s as a lock", (_, text) => expect(parseLock(text)).toBeUndefined());

test("leaves out an incomplete entry, and keeps the others", () => {
  const entry = { updated_at: "2026-08-12T09:30:00Z", applied: "a", stored: "b" };
  const text = JSON.stringify({ version: 1, environments: { x: { good: entry, bad: { applied: "a" }, worse: 1 } } });
  expect([...(parseLock(text)?.get("x")?.keys() ?? [])]).toEqual(["good"]);
});

const seen = Date.parse("2026-08-12T09:30:01Z") / 1000;
const entry = { updatedAt: "2026-08-12T09:30:00Z", applied: "applied123", stored: "stored1234", seen };
const marker = { text: "t", applied: "applied123", contract: "contra" };
const summary = { name: "a", updatedAt: "2026-08-12T09:30:00Z", marker };

test.each([
  [true, "a template seen in a later second than it changed", entry, summary],
  [false, "one seen in the very second", { ...entry, seen: seen - 1 }, summary],
  [false, "one that was only written", { ...entry, seen: undefined }, summary],
  [
    true,
    "one whose service keeps no marker",
    { ...entry, isUnmarked: true as const },
    { ...summary, marker: undefined },
  ],
  [false, "one that has lost its marker", entry, { ...summary, marker: undefined }],
  [false, "one that has changed", entry, { ...summary, updatedAt: "2026-08-12T09:31:00Z" }],
  [false, "one whose marker says otherwise", entry, { ...summary, marker: { ...marker, applied: "other12345" } }],
  [false, "no entry", undefined, summary],
])("%s: the lock proves %s", (expected, _, known, there) => {
  expect(provesUnchanged(known, there, true)).toBe(expected);
});

test("distinguishes environments by URL, domain and affixes, not by name", () => {
  const one = { url: "https://api.example.com", domain: "example.com", namePrefix: "", nameSuffix: "" };
  expect(environmentKey({ ...one, url: "https://api.example.com/" })).toBe(environmentKey(one));
  const others = [
    { ...one, url: "https://api.example.org" },
    { ...one, domain: "example.org" },
    { ...one, namePrefix: "staging-" },
    { ...one, nameSuffix: "-staging" },
  ];
  expect(new Set([one, ...others].map(environmentKey)).size).toBe(5);
});
