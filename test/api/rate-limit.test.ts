import { expect, test } from "vitest";
import { readRateLimit, readRetryAfter } from "../../src/api/calls/answer.js";

test("reads the three headers into one value", () => {
  expect(
    readRateLimit({ "x-ratelimit-limit": "200", "x-ratelimit-remaining": "199", "x-ratelimit-reset": "1786527000" }),
  ).toEqual({
    limit: 200,
    remaining: 199,
    reset: 1_786_527_000,
  });
});

test("leaves out absent and invalid headers", () => {
  expect(readRateLimit({})).toBeUndefined();
  expect(
    readRateLimit({ "x-ratelimit-limit": "-1", "x-ratelimit-remaining": ["1", "2"], "x-ratelimit-reset": "soon" }),
  ).toBeUndefined();
  expect(readRateLimit({ "x-ratelimit-remaining": "0" })).toEqual({ remaining: 0 });
});

test("prefers Retry-After to the window's end", () => {
  expect(readRetryAfter({ "retry-after": "17", "x-ratelimit-reset": "9999999999" })).toBe(17);
});

const time = 1_786_527_000_000;
const inTime = new Date(time + 30_000);

test.each([
  ["a decimal", "1.5", 1.5],
  ["zero", "0", 0],
  ["an HTTP date", inTime.toUTCString(), 30],
  ["RFC 850's form", "Wednesday, 12-Aug-26 09:30:30 GMT", 30],
  ["asctime's form, which is in GMT", "Wed Aug 12 09:30:30 2026", 30],
  ["a date that is over", new Date(time - 5000).toUTCString(), 0],
])("reads Retry-After as %s: %s", (_, retryAfter, seconds) => {
  const date = new Date(time).toUTCString();
  // The service's clock counts, not the local one.
  expect(readRetryAfter({ "retry-after": retryAfter, date }, 0)).toBe(seconds);
  expect(readRetryAfter({ "retry-after": retryAfter }, time)).toBe(seconds);
});

test.each(["soon", "-1", "1e3", "1.", "2026-08-12T09:30:30Z", ""])(
  "uses the reset for %j, an invalid Retry-After",
  (text) => {
    expect(readRetryAfter({ "retry-after": text, "x-ratelimit-reset": "1786527042" }, time)).toBe(42);
    expect(readRetryAfter({ "retry-after": text }, time)).toBeUndefined();
  },
);

test.each([
  ["999999999999999", "seconds without end"],
  [String(time), "a moment in milliseconds"],
  ["Fri, 31 Dec 9999 23:59:59 GMT", "a date that never comes"],
])("ignores %s as Retry-After: %s", (text) => {
  expect(readRetryAfter({ "retry-after": text, "x-ratelimit-reset": "1786527042" }, time)).toBe(42);
  expect(readRetryAfter({ "retry-after": text }, time)).toBeUndefined();
});

test("ignores a window that ends in more than a month", () => {
  expect(readRetryAfter({ "x-ratelimit-reset": String(time) }, time)).toBeUndefined();
  const month = 31 * 24 * 60 * 60;
  expect(readRetryAfter({ "retry-after": String(month) }, time)).toBe(month);
});

test("measures the window's end on the service's clock", () => {
  const date = new Date(1_786_527_000_000).toUTCString();
  expect(readRetryAfter({ "x-ratelimit-reset": "1786527042", date }, 0)).toBe(42);
});

test("measures it on the local clock without the service's time, and needs no wait for a window that is over", () => {
  expect(readRetryAfter({ "x-ratelimit-reset": "1786527042" }, 1_786_527_000_000)).toBe(42);
  expect(readRetryAfter({ "x-ratelimit-reset": "1786526000" }, 1_786_527_000_000)).toBe(0);
  expect(readRetryAfter({}, 0)).toBeUndefined();
});
