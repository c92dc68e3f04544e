import * as fc from "fast-check";
import { expect, test } from "vitest";

interface Ratio {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

interface Statistics {
  median: (values: readonly number[]) => number;
  compare: (measured: readonly number[], reference: readonly number[]) => Ratio;
}

interface Report {
  toResult: (row: object) => { measured: number; reference: number; ratio: Ratio; reached?: boolean };
}

interface RunProcess {
  runProcess: (command: readonly string[], options: { cwd: string }) => Promise<{ wall: number; memory: number }>;
}

const at = (file: string) => new URL(`../../bench/measure/${file}.mjs`, import.meta.url).href;
const { median, compare }: Statistics = await import(at("statistics"));
const { toResult }: Report = await import(at("report"));
const { runProcess }: RunProcess = await import(at("run-process"));

test("the median is the middle value, or the mean of the two middle values", () => {
  expect(median([10, 9, 100])).toBe(10);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 });
  fc.assert(
    fc.property(values, (numbers) => {
      const middle = median(numbers);
      const half = numbers.length / 2;
      expect(numbers.filter((number) => number < middle).length).toBeLessThanOrEqual(half);
      expect(numbers.filter((number) => number > middle).length).toBeLessThanOrEqual(half);
    }),
  );
});

test("the ratio is calculated per round, so that a slow round affects both sides", () => {
  expect(compare([1, 1, 30], [2, 4, 60])).toEqual({ median: 0.5, lowest: 0.25, highest: 0.5 });
  expect(compare([3], [2])).toEqual({ median: 1.5, lowest: 1.5, highest: 1.5 });
});

test("a target is compared with the median of the ratios", () => {
  const row = { name: "cold", baseline: "peer", unit: "ms", measured: [1, 2, 9], reference: [10, 10, 10] };
  expect(toResult({ ...row, target: 0.2 })).toMatchObject({ measured: 2, reference: 10, reached: true });
  expect(toResult({ ...row, target: 0.19 })).toMatchObject({ reached: false });
  expect(toResult(row)).not.toHaveProperty("reached");
});

test("a process is measured with its descendants", async () => {
  // Long enough for memory to be sampled even if this process is busy.
  const grandchild = "const much = Buffer.alloc(150e6, 1); setTimeout(() => much.length, 1000)";
  const child = `require("node:child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(grandchild)}])`;
  const { wall, memory } = await runProcess([process.execPath, "-e", child], { cwd: "." });
  expect(wall).toBeGreaterThanOrEqual(1000);
  if (process.platform === "linux") expect(memory).toBeGreaterThan(150e6);
});

test("throws the output of a process that fails", async () => {
  const failing = [process.execPath, "-e", "console.error('no such template'); process.exit(3)"];
  await expect(runProcess(failing, { cwd: "." })).rejects.toThrow(/ended with 3:\nno such template/);
});
