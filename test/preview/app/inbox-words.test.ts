import { expect, test } from "vitest";
import { sizeInWords } from "../../../preview/inbox/words.js";

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [120_000, "120.0 kB"],
  [2_500_000, "2.5 MB"],
])("%d bytes are %s", (bytes, words) => {
  expect(sizeInWords(bytes)).toBe(words);
});
