import { inspect } from "node:util";
import "../../src/testing/vitest.js";
import { afterEach, expect, test, vi } from "vitest";
import { createTestClock } from "../../src/testing/index.js";
import { endUnawaited } from "../../src/testing/test-clock.js";

afterEach(() => void vi.useRealTimers());

const at = new Date("2027-01-15T08:00:00Z");

test("stands still at a given time until it is moved", async () => {
  const clock = createTestClock({ at });
  const before = [clock.now(), clock.time()];
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect([clock.now(), clock.time()]).toEqual(before);
  await clock.advance(60_000);
  expect(clock.time()).toBe(at.getTime() + 60_000);
});

test("runs timers in order, each at its time, including those that they start", async () => {
  const clock = createTestClock({ at });
  const received: string[] = [];
  const record = (name: string) => () => void received.push(`${name} at ${clock.time() - at.getTime()}`);
  clock.after(300, record("third"));
  const cancel = clock.after(200, record("cancelled"));
  clock.after(100, () => {
    record("first")();
    void Promise.resolve().then(() => clock.after(50, record("second")));
  });
  cancel();
  await clock.advance(299);
  expect(received).toEqual(["first at 100", "second at 150"]);
  await clock.advance(1);
  expect(received).toEqual(["first at 100", "second at 150", "third at 300"]);
});

test("follows the machine's time without one, and moves forward from there", async () => {
  const clock = createTestClock();
  const received: string[] = [];
  clock.after(3_600_000, () => received.push("in an hour"));
  await new Promise<void>((resolve) => {
    clock.after(1, () => {
      received.push("by itself");
      resolve();
    });
  });
  expect(Math.abs(clock.time() - Date.now())).toBeLessThan(1000);
  await clock.advance(3_600_000);
  expect(received).toEqual(["by itself", "in an hour"]);
  expect(clock.time()).toBeGreaterThanOrEqual(Date.now() + 3_600_000 - 1000);
});

test("is not stopped by a test framework's fake timers", async () => {
  vi.useFakeTimers({ now: at });
  const clock = createTestClock();
  expect(clock.time()).toBe(at.getTime());
  const received: string[] = [];
  clock.after(10, () => received.push("moved"));
  clock.after(30, () => received.push("faked"));
  await clock.advance(20);
  expect(received).toEqual(["moved"]);
  vi.advanceTimersByTime(30);
  expect(received).toEqual(["moved", "faked"]);
});

test("throws for a forgotten await, with a stack that leads to the call", async () => {
  const clock = createTestClock({ at });
  const forgetAwait = () => void clock.advance("10m");
  forgetAwait();
  expect(() => clock.advance(1)).toThrow(
    expect.objectContaining({
      message: 'clock.advance("10m") was not awaited. Write: await clock.advance("10m")',
      stack: expect.stringMatching(/^Error: .*\n *at forgetAwait /),
    }),
  );
  endUnawaited(clock);
});

test("accepts each way to wait for an advance", async () => {
  const clock = createTestClock({ at });
  const returned = async () => clock.advance(1);
  await clock.advance(1);
  await Promise.all([clock.advance(1), Promise.resolve()]);
  await Promise.race([clock.advance(1), new Promise(() => undefined)]);
  await returned();
  await expect(clock.advance(1)).resolves.toBeUndefined();
  await clock.advance(1).then(() => undefined);
  await clock.advance(1).finally(() => undefined);
  const advancing = clock.advance(1);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await advancing;
  expect(clock.time()).toBe(at.getTime() + 8);
});

test.each([
  [{ time: at }, 'createTestClock has no option "time". Its options: at.'],
  [{ At: at }, 'createTestClock has no option "At" (did you mean at?). Its options: at.'],
  [{ at: "2027-01-15" }, 'createTestClock: at is "2027-01-15"; it must be a valid Date.'],
  [{ at: new Date("soon") }, "createTestClock: at is Invalid Date; it must be a valid Date."],
])("refuses createTestClock(%j)", (options, message) => {
  expect(() => createTestClock(options as object)).toThrow(message);
});

test.each([[-1], ["ten minutes"], [undefined], [Number.NaN]])("can't advance the time by %o", async (time) => {
  await expect(createTestClock({ at }).advance(time as number)).rejects.toThrow(
    `clock.advance: time is ${inspect(time)}; it must be a duration such as "10m", or milliseconds.`,
  );
});

test.fails("also fails a test of another file that ends without awaiting clock.advance", () => {
  void createTestClock({ at }).advance(1);
});
