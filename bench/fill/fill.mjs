// @ts-check
/*
 * Renders a compiled receipt in a process that has already parsed it, as in an application.
 */
import { isDeepStrictEqual } from "node:util";
import { performance } from "node:perf_hooks";
import Mustache from "mustache";
import { fill } from "../../dist/render/index.js";
import { toResult } from "../measure/report.mjs";
import { compileReceipt } from "./receipt.mjs";

const LINES = 30;
/** Turns in a round, and messages in a turn: long enough to be timed, short enough for both to run under the same load. */
const TURNS = 20;
const MESSAGES = 100;

/** @param {{ readonly rounds: number, readonly note: (text: string) => void }} options */
export async function benchFill({ rounds, note }) {
  const { compiled, variables } = await compileReceipt(LINES);
  const ours = () => fill(compiled, variables);
  const peer = () => ({
    subject: Mustache.render(compiled.subject, variables),
    html: Mustache.render(compiled.html_body, variables),
    text: Mustache.render(compiled.text_body, variables),
  });
  if (!isDeepStrictEqual(normalise(ours()), normalise(peer())))
    throw new Error("The two rendered the receipt differently.");

  /** @type {number[]} */
  const measured = [];
  /** @type {number[]} */
  const reference = [];
  // In the first round the engine compiles the hot functions; it is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    note(round === 0 ? "fill: warming up" : `fill: round ${round} of ${rounds}`);
    for (let turn = 0; turn < TURNS; turn += 1) {
      const times = [timeOf(ours), timeOf(peer)];
      if (round === 0) continue;
      measured.push(times[0] ?? Number.NaN);
      reference.push(times[1] ?? Number.NaN);
    }
  }
  const name = `fill a receipt with ${LINES} lines`;
  return [toResult({ name, measured, reference, baseline: "mustache.js", unit: "µs", target: 1.1 })];
}

/** Microseconds per message. @param {() => unknown} render */
function timeOf(render) {
  const start = performance.now();
  for (let message = 0; message < MESSAGES; message += 1) render();
  return ((performance.now() - start) / MESSAGES) * 1000;
}

/**
 * A message without the differences that are allowed: which characters are escaped in addition to HTML's own.
 *
 * @param {{ readonly subject: string, readonly html: string, readonly text: string }} message
 */
function normalise({ html, ...rest }) {
  return {
    ...rest,
    html: html
      .replace(/&#(?:x2F|47);/gi, "/")
      .replace(/&#(?:x60|96);/gi, "`")
      .replace(/&#(?:x3D|61);/gi, "="),
  };
}
