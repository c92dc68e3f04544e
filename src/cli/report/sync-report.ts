import type { FieldChange, OnSyncEvent, Operation, Plan } from "../../sync/index.js";
import type { Output } from "../output.js";

/** The plan for a person: a line for each template that changes, then what stays. */
export function describePlan(plan: Plan, style: Output["style"]): string[] {
  const lines = plan.operations.flatMap((operation) =>
    operation.kind === "create"
      ? [style("green", `+ create ${operation.name}`)]
      : [
          style("yellow", `~ update ${operation.name}`),
          ...operation.changes.map((change) => `    ${describeChange(change)}`),
        ],
  );
  lines.push(...plan.obstacles.map(({ message }) => style("red", `✗ ${message}`)));
  const creates = plan.operations.filter(({ kind }) => kind === "create").length;
  const parts = [
    [creates, "to create"],
    [plan.operations.length - creates, "to update"],
    [plan.unchanged.length, "unchanged"],
    [plan.unmanaged.length, "on the service only, left alone"],
  ] as const;
  const summary = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  lines.push(
    `${plan.operations.length === 0 ? "Nothing to change" : "Plan"}: ${summary.join(", ") || "no templates"}.`,
  );
  return lines;
}

/** Short fields are shown as they were and will be; of a body, how many lines go and come. */
function describeChange({ field, from, to }: FieldChange): string {
  if (field === "subject" || field === "description") return `${field}: ${quoted(from)} → ${quoted(to)}`;
  const before = countLines(from);
  const after = countLines(to);
  let gone = 0;
  let come = 0;
  for (const [line, count] of before) gone += Math.max(0, count - (after.get(line) ?? 0));
  for (const [line, count] of after) come += Math.max(0, count - (before.get(line) ?? 0));
  return gone + come === 0 ? `${field}: lines reordered` : `${field}: +${come} −${gone} lines`;
}

function countLines(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split("\n")) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

function quoted(text: string): string {
  return text === "" ? "empty" : JSON.stringify(text);
}

export function describeOperation(operation: Operation): {
  readonly kind: string;
  readonly name: string;
  readonly fields?: readonly string[];
} {
  return operation.kind === "create"
    ? { kind: "create", name: operation.name }
    : { kind: "update", name: operation.name, fields: operation.changes.map(({ field }) => field) };
}

/** The plan as `--json` prints it. */
export function planDocument({ operations, unchanged, unmanaged, obstacles }: Plan) {
  return { operations: operations.map(describeOperation), unchanged, unmanaged, obstacles };
}

/** Progress of sync on standard error. */
export function describeEvent(output: Output): OnSyncEvent {
  return (event) => {
    if (event.kind === "started")
      output.note(`[${event.position}/${event.total}] ${event.operation.kind} ${event.operation.name}`);
    if (event.kind === "failed")
      output.note(`[${event.position}/${event.total}] ${event.operation.name} failed: ${event.error.message}`);
    if (event.kind === "waiting")
      output.note(`The service's rate limit is reached; going on in ${Math.ceil(event.seconds)} s.`);
  };
}
