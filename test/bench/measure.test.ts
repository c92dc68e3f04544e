import * as fc from "fast-check";
import { expect, test } from "vitest";

interface Ratio {
  readonly median: number;
  readonly least: number;
  readonly most: number;
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

test("the median is the middle, or the mean of the two that are", () => {
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

test("a ratio is that of each round, so that a slow round counts for both sides", () => {
  expect(compare([1, 1, 30], [2, 4, 60])).toEqual({ median: 0.5, least: 0.25, most: 0.5 });
  expect(compare([3], [2])).toEqual({ median: 1.5, least: 1.5, most: 1.5 });
});

test("a target is reached by the median of the ratios", () => {
  const row = { name: "cold", baseline: "peer", unit: "ms", measured: [1, 2, 9], reference: [10, 10, 10] };
  expect(toResult({ ...row, target: 0.2 })).toMatchObject({ measured: 2, reference: 10, reached: true });
  expect(toResult({ ...row, target: 0.19 })).toMatchObject({ reached: false });
  expect(toResult(row)).not.toHaveProperty("reached");
});

test("a process is measured with what it started", async () => {
  // Long enough to be looked at where this process is busy with something else.
  const grandchild = "const much = Buffer.alloc(150e6, 1); setTimeout(() => much.length, 1000)";
  const child = `require("node:child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(grandchild)}])`;
  const { wall, memory } = await runProcess([process.execPath, "-e", child], { cwd: "." });
  expect(wall).toBeGreaterThanOrEqual(1000);
  if (process.platform === "linux") expect(memory).toBeGreaterThan(150e6);
});

test("a process that fails is no measurement: what it printed is told", async () => {
  const failing = [process.execPath, "-e", "console.error('no such template'); process.exit(3)"];
  await expect(runProcess(failing, { cwd: "." })).rejects.toThrow(/ended with 3:\nno such template/);
});
