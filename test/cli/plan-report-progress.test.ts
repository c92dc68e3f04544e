import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { type Refusal, ServiceError } from "../../src/api/errors.js";
import { createOutput } from "../../src/cli/output.js";
import { planProgress } from "../../src/cli/report/plan/progress.js";
import type { UpdateOperation } from "../../src/sync/plan/plan.js";

const operations = Array.from({ length: 90 }, (_, index): UpdateOperation => {
  const content = { subject: "", description: "", html_body: "", text_body: "" };
  const base = { updatedAt: "2026-01-01T00:00:00.000Z", hash: "h" };
  return { kind: "update", name: `t${index}`, target: { content, hash: "h" }, changes: [], base };
});
const plan = { steps: [operations] };
const [first] = operations as [UpdateOperation];

/** An output whose streams may be terminals of 60 columns. */
function open(isTTY: boolean, json = false) {
  const streams = [new PassThrough(), new PassThrough()].map((stream) =>
    Object.assign(stream, { isTTY, columns: 60 }),
  ) as unknown as [NodeJS.WriteStream, NodeJS.WriteStream];
  const [stdout, stderr] = streams;
  const written = (stream: NodeJS.WriteStream): string => String((stream.read() as Buffer | null) ?? "");
  return { output: createOutput({ json, stdout, stderr }), out: () => written(stdout), err: () => written(stderr) };
}

describe("planProgress", () => {
  it("overwrites one line on a terminal, with the remaining time by rate limits", () => {
    const { output, out, err } = open(true);
    let now = 0;
    const { onEvent, done } = planProgress(output, { plan, limit: () => 30, now: () => now });
    onEvent({ kind: "started", operation: first, done: 0, total: 90 });
    expect(err()).toBe(`${"░".repeat(24)} 0/90 t0, about 2 min left`);
    now = 65_000;
    onEvent({ kind: "applied", operation: first, done: 45, total: 90 });
    expect(err()).toBe(`\r\u001b[K${"█".repeat(12)}${"░".repeat(12)} 45/90, about 55 s left`);
    onEvent({ kind: "failed", operation: first, done: 46, total: 90, error: new Error("No."), effect: "none" });
    expect(err()).toMatch(/^\r\u001b\[K\[46\/90\] update t0 failed: No\.\n█+░+ 46\/90/);
    done();
    expect(err()).toBe("\r\u001b[K");
    output.print("done");
    expect(err() + out()).toBe("done\n");
  });

  it("estimates the remaining time from the speed so far without limits, and never wraps", () => {
    const { output, err } = open(true);
    let now = 0;
    const { onEvent } = planProgress(output, { plan, limit: () => 200, now: () => now });
    onEvent({ kind: "started", operation: { ...first, name: "n".repeat(250) }, done: 0, total: 90 });
    expect(err()).toHaveLength(59);
    now = 10_000;
    onEvent({ kind: "applied", operation: first, done: 30, total: 90 });
    expect(err()).toContain("30/90, about 20 s left");
  });

  it("prints lines without a terminal: one per operation, few for reading, and no control characters", () => {
    for (const json of [false, true]) {
      const { output, out, err } = open(false, json);
      let now = 0;
      const { onEvent, done } = planProgress(output, { plan, now: () => now });
      for (let index = 1; index <= 100; index += 1) {
        now += 100;
        onEvent({ kind: "read", name: `t${index}`, done: index, total: 100 });
      }
      onEvent({ kind: "started", operation: first, done: 0, total: 90 });
      onEvent({ kind: "applied", operation: first, done: 1, total: 90 });
      onEvent({ kind: "moved", operation: first, done: 2, total: 90 });
      done();
      expect(err().split("\n")).toEqual([
        "1 of 100 templates read",
        "51 of 100 templates read",
        "100 of 100 templates read",
        "[1/90] update t0",
        "[2/90] update t0: left alone, because it changed on the service",
        "",
      ]);
      expect(out()).toBe("");
    }
  });

  it("announces a wait once for several requests, with its reason", () => {
    const { output, err } = open(false);
    let now = 0;
    const { onEvent } = planProgress(output, { plan, now: () => now });
    const request = { method: "PUT", path: "/templates/t0", url: "https://api.example.com/templates/t0" };
    onEvent({ kind: "waiting", seconds: 40 });
    onEvent({ kind: "waiting", seconds: 40, error: new ServiceError(request, refusal(429)) });
    now = 40_000;
    onEvent({ kind: "waiting", seconds: 4, error: new ServiceError(request, refusal(503)) });
    expect(err().split("\n")).toEqual([
      "The service's rate limit is reached. Continuing in 40 s.",
      "Retrying in 4 s: The service answered 503 to PUT /templates/t0: Busy",
      "",
    ]);
  });
});

function refusal(status: number): Refusal {
  return { status, serviceMessage: "Busy", fieldErrors: {} };
}
