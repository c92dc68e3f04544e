import { expect, test } from "vitest";
import { TextCache } from "../../src/mustache/fill.js";

test("a string is parsed once while it is cached", () => {
  const cache = new TextCache(100);
  const prepared = cache.prepare("{{a}}");
  expect(cache.prepare(["{{a", "}}"].join(""))).toBe(prepared);
  expect(cache.prepare("{{b}}")).not.toBe(prepared);
});

test("the least recently used strings are evicted first, by length", () => {
  const cache = new TextCache(10);
  const a = cache.prepare("aaaa");
  const b = cache.prepare("bbbb");
  expect(cache.prepare("aaaa")).toBe(a);
  cache.prepare("cccc");
  expect(cache.prepare("aaaa")).toBe(a);
  expect(cache.prepare("bbbb")).not.toBe(b);
  for (let round = 0; round < 10; round += 1) cache.prepare(`dd${round}`);
  const last = cache.prepare("e");
  cache.prepare("ffffff");
  expect(cache.prepare("e")).toBe(last);
});

test("a string longer than the whole cache is parsed without being cached", () => {
  const cache = new TextCache(3);
  expect(cache.prepare("{{a}}").program).toHaveLength(1);
  expect(cache.prepare("{{a}}").program).toHaveLength(1);
});

test("problems are cached too", () => {
  const cache = new TextCache(100);
  expect(cache.prepare("{{").problems).toHaveLength(1);
  expect(cache.prepare("{{").problems).toHaveLength(1);
});
