import { expect, test } from "vitest";
import { AbortCalls } from "../../../src/send/pace/queue.js";

test("calls all callbacks, even after other listeners of the signal", () => {
  const ending = new AbortController();
  const received: string[] = [];
  ending.signal.addEventListener("abort", () => void received.push("an earlier listener"));
  const calls = new AbortCalls();
  calls.add(ending.signal, () => void received.push("first"));
  const withdraw = calls.add(ending.signal, () => void received.push("withdrawn"));
  calls.add(ending.signal, () => void received.push("second"));
  withdraw();
  ending.abort();
  expect(received).toEqual(["an earlier listener", "first", "second"]);
});
