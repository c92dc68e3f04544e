import { expect, test } from "vitest";
import { AbortCalls } from "../../../src/send/pace/abort-calls.js";

test("calls all callbacks, even after other listeners of the signal", () => {
  const ending = new AbortController();
  const heard: string[] = [];
  ending.signal.addEventListener("abort", () => void heard.push("an earlier listener"));
  const calls = new AbortCalls();
  calls.add(ending.signal, () => void heard.push("first"));
  const withdraw = calls.add(ending.signal, () => void heard.push("withdrawn"));
  calls.add(ending.signal, () => void heard.push("second"));
  withdraw();
  ending.abort();
  expect(heard).toEqual(["an earlier listener", "first", "second"]);
});
