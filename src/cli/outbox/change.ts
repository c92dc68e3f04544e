import type { OutboxFilter } from "../../send/store/outbox.js";
import { askYesNo } from "../ask.js";
import { type ExitCode, exitCode } from "../command.js";
import type { Output } from "../output.js";
import { plural } from "../report/check-report.js";
import type { Box } from "./boxes.js";

export interface RequestedChange {
  readonly action: "retry" | "discard" | "erase";
  /** Messages by ID; if empty, those that match the filter. */
  readonly ids: readonly string[];
  readonly filter: OutboxFilter;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly signal: AbortSignal;
}

interface Result {
  readonly ids: readonly string[];
  readonly skipped: readonly { readonly id: string; readonly reason: string }[];
}

const words = {
  retry: { would: "would be queued again", done: "queued again", question: "Queue", end: "again" },
  discard: { would: "would be discarded", done: "discarded", question: "Discard", end: "permanently" },
  erase: { would: "would be erased", done: "erased", question: "Erase the contents of", end: "permanently" },
} as const;

/** Retries or discards messages, or deletes their content. Asks for confirmation unless they are selected by ID. */
export async function changeMessages(boxes: readonly Box[], wish: RequestedChange, output: Output): Promise<ExitCode> {
  const { action, ids, dryRun, yes, signal } = wish;
  const { would, done, question, end } = words[action];
  const isMany = ids.length === 0;
  if (dryRun || (isMany && !yes)) {
    const planned = await carryOut(boxes, wish, true);
    if (dryRun || planned.ids.length === 0) return report(planned, dryRun ? would : done, { ...wish, isMany }, output);
    const fullQuestion = `${question} ${plural(planned.ids.length, "message")} ${end}?`;
    if (!(await askYesNo(fullQuestion, { flag: "--yes", signal }))) return exitCode.interrupted;
  }
  return report(await carryOut(boxes, wish, false), done, { ...wish, isMany }, output);
}

async function carryOut(
  boxes: readonly Box[],
  { action, ids, filter }: RequestedChange,
  dryRun: boolean,
): Promise<Result> {
  const changed: string[] = [];
  const skipped = new Map<string, string>(ids.map((id) => [id, "not found"]));
  for (const box of boxes) {
    // Each message is in only one box.
    const which = ids.length === 0 ? filter : await present(box, ids);
    if (Array.isArray(which) && which.length === 0) continue;
    const result =
      action === "erase" ? await box.erase(filter.recipient ?? "", { dryRun }) : await box[action](which, { dryRun });
    changed.push(...result.ids);
    for (const id of result.ids) skipped.delete(id);
    for (const { id, reason } of result.skipped) skipped.set(id, reason);
  }
  return { ids: changed, skipped: [...skipped].map(([id, reason]) => ({ id, reason })) };
}

async function present(box: Box, ids: readonly string[]): Promise<string[]> {
  const stored = await Promise.all(ids.map((id) => box.get(id)));
  return stored.flatMap((message) => message?.id ?? []);
}

function report(
  { ids, skipped }: Result,
  done: string,
  { dryRun, isMany, action }: RequestedChange & { readonly isMany: boolean },
  output: Output,
): ExitCode {
  for (const { id, reason } of skipped) output.note(`${id} was not changed: ${reason}.`);
  output.print(`${plural(ids.length, "message")} ${done}.`);
  if (dryRun) for (const id of ids) output.print(`  ${id}`);
  output.json({ action, dryRun, ids, skipped });
  if (skipped.length === 0 || isMany) return exitCode.done;
  return ids.length === 0 ? exitCode.findings : exitCode.partial;
}
