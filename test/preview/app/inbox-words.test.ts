import { expect, test } from "vitest";
import { duration, formatSize, relativeTime } from "../../../preview/inbox/format.js";

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [120_000, "120.0 kB"],
  [2_500_000, "2.5 MB"],
])("%d bytes are %s", (bytes, words) => {
  expect(formatSize(bytes)).toBe(words);
});

test.each([
  [0, "now"],
  [-999, "now"],
  [-59_000, "59 sec ago"],
  [-61_000, "1 min ago"],
  [-26 * 3_600_000, "yesterday"],
  [90 * 60_000, "in 1 hr"],
])("%d ms from now is %s", (milliseconds, words) => {
  const now = Date.parse("2026-01-15T12:00:00Z");
  expect(relativeTime(new Date(now + milliseconds).toISOString(), now)).toBe(words);
});

test.each([
  [0, "0 seconds"],
  [59_999, "59 seconds"],
  [60_000, "1 minute"],
  [50 * 3_600_000, "2 days"],
])("%d ms take %s", (milliseconds, words) => {
  expect(duration(milliseconds)).toBe(words);
});
