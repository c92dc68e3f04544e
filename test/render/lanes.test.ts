import { expect, test } from "vitest";
import { inLanes } from "../../src/render/lanes.js";

test("all items are processed, at most as many at a time as there are lanes", async () => {
  const done: number[] = [];
  let [now, most] = [0, 0];
  await inLanes([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 5));
    now -= 1;
    done.push(item);
  });
  expect(new Set(done)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7]));
  expect(most).toBe(3);
});

test("synchronous work yields to others after each item, in any number of lanes", async () => {
  const { port1, port2 } = new MessageChannel();
  let answers = 0;
  port2.on("message", () => {
    answers += 1;
    port1.postMessage("");
  });
  port1.postMessage("");
  const before: number[] = [];
  await inLanes(Array.from({ length: 30 }).keys(), 3, async () => {
    before.push(answers);
  });
  port1.close();
  const waited = before.slice(3).filter((count, index) => count === (before[index] ?? 0));
  expect(waited).toEqual([]);
});
