import { expect, test } from "vitest";
import { formatSize } from "../../../preview/inbox/format.js";

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [120_000, "120.0 kB"],
  [2_500_000, "2.5 MB"],
])("%d bytes are %s", (bytes, words) => {
  expect(formatSize(bytes)).toBe(words);
});
