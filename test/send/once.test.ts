import { expect, test } from "vitest";
import { once } from "../../src/send/compose.js";

const always = () => undefined;

test("creates a value on first use, once for concurrent callers", async () => {
  let made = 0;
  const part = once(async () => (made += 1), always);
  await expect(part.made()).resolves.toBeUndefined();
  expect(await Promise.all([part(), part()])).toEqual([1, 1]);
  await expect(part.made()).resolves.toBe(1);
});

test("tries again on the next use if creating failed", async () => {
  let tries = 0;
  const part = once(async () => {
    tries += 1;
    if (tries === 1) throw new Error("not yet");
    return tries;
  }, always);
  await expect(part()).rejects.toThrow("not yet");
  await expect(part.made()).resolves.toBeUndefined();
  await expect(part()).resolves.toBe(2);
});

test("does not create a value that must no longer be used, and still returns one for cleaning up", async () => {
  let isOver = false;
  const part = once(
    async () => "made",
    () => {
      if (isOver) throw new Error("over");
    },
  );
  await part();
  isOver = true;
  await expect(part()).rejects.toThrow("over");
  await expect(part.made()).resolves.toBe("made");
});
