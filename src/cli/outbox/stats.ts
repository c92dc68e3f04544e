import type { OutboxStats } from "../../send/outbox/outbox.js";
import { type ExitCode, exitCode } from "../command.js";
import { maskAddresses } from "../mask.js";
import type { Output } from "../output.js";
import { ageInWords } from "../since.js";
import type { Box } from "./boxes.js";

/** Prints the number of messages per state, how long the oldest has waited, and why messages fail. */
export async function showStats(boxes: readonly Box[], output: Output): Promise<ExitCode> {
  const all = await Promise.all(boxes.map(async (box) => ({ target: box.target, stats: await box.stats() })));
  if (all.length === 0) output.print("The outbox is empty.");
  for (const [index, { target, stats }] of all.entries()) {
    if (index > 0) output.print();
    output.print(`For ${target.replace(" ", ", ")}`);
    for (const line of lines(stats)) output.print(`  ${line}`);
  }
  output.json({ outboxes: all.map(({ target, stats }) => ({ for: target, ...stats })) });
  return exitCode.done;
}

function lines({ counts, due, oldestDueMs, expectedWaitMs, problems }: OutboxStats): string[] {
  const states = Object.entries(counts).filter(([, count]) => count > 0);
  return [
    ...(states.length === 0 ? ["no messages"] : states.map(([state, count]) => `${state.padEnd(10)} ${count}`)),
    ...(oldestDueMs === undefined ? [] : [`due        ${due}, the oldest for ${ageInWords(oldestDueMs)}`]),
    ...(due === 0
      ? []
      : [
          `sending the queue takes about ${ageInWords(Math.max(60_000, expectedWaitMs.normal))} at the service's rate limit`,
        ]),
    ...problems.map(({ state, reason, messages }) => `${messages} ${state}: ${maskAddresses(reason)}`),
  ];
}
