import { hasErrors } from "../../diagnostic.js";
import { operationsOf, type Plan, targetName } from "../../sync/index.js";
import { defineCommand, exitCode } from "../command.js";
import { compare } from "../deploy/compare.js";
import { countDiagnostics } from "../report/diagnostics.js";
import { table } from "../report/table.js";
import { remoteName } from "../../config/environment.js";

/** A template as both sides have it. */
interface Row {
  /** On the service. */
  readonly name: string;
  readonly here: boolean;
  /** When it was last changed on the service; absent where it isn't there. */
  readonly updatedAt?: string;
  readonly state: string;
  readonly fields: readonly string[];
}

export const status = defineCommand({
  summary: "Compare the local templates with an environment's",
  operands: "[names…]",
  flags: {},
  examples: ["templates status --env production"],
  async run({ names, flags, output, signal }) {
    return compare({ names, flags, output, signal }, async ({ deployTarget, plan, input, side, diagnostics }) => {
      const { environment } = deployTarget.target;
      const broken = diagnostics.flatMap(({ severity, template }) =>
        severity === "error" && template !== undefined ? [remoteName(environment, template)] : [],
      );
      const { summaries } = input.remote;
      const here = new Set([...input.local.map(({ name }) => name), ...side.present]);
      const rows = [...statesOf(plan, broken)]
        .map(([name, [state, fields]]): Row => {
          const updatedAt = summaries.get(name)?.updatedAt;
          return { name, here: here.has(name), ...(updatedAt === undefined ? {} : { updatedAt }), state, fields };
        })
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));

      if (rows.length === 0) output.print("No templates, here or on the service.");
      else
        output.print(
          table([
            ["TEMPLATE", "HERE", "ON THE SERVICE", "STATE", ""],
            ...rows.map(({ name, here: isHere, updatedAt = "–", state, fields }) => [
              name,
              isHere ? "yes" : "–",
              updatedAt,
              state,
              fields.join(", "),
            ]),
          ]),
        );
      if (diagnostics.length > 0) output.note(`${countDiagnostics(diagnostics)}; see: templates check`);
      output.json({ environment: environment.name, domain: environment.domain, templates: rows, diagnostics });
      return hasErrors(diagnostics) ? exitCode.findings : exitCode.done;
    });
  },
});

const heldStates = {
  drifted: "edited on the service",
  conflict: "changed on both sides",
  unknown: "different, never applied from here",
  foreign: "managed elsewhere",
  breaking: "to update, but breaking",
} as const;

/** Each name's state and the fields that differ, by name. */
function statesOf(plan: Plan, broken: readonly string[]): Map<string, readonly [string, readonly string[]]> {
  const states = new Map<string, readonly [string, readonly string[]]>();
  const set = (names: readonly string[], state: string) => {
    for (const name of names) states.set(name, [state, []]);
  };
  set(plan.unmanaged, "only on the service");
  set(plan.retired, "retired: --prune deletes it");
  set(plan.unchanged, "unchanged");
  set(broken, "does not compile");
  for (const operation of operationsOf(plan)) {
    const fields = "changes" in operation ? operation.changes.map(({ field }) => field) : [];
    if (operation.kind === "rename") states.set(operation.name, [`to rename: ${operation.to}`, fields]);
    else if (operation.kind === "update")
      states.set(operation.name, [fields.length === 0 ? "to mark" : "to update", fields]);
    else states.set(targetName(operation), [`to ${operation.kind}`, []]);
  }
  for (const { kind, name, changes, breaking = [] } of plan.held)
    states.set(name, [
      heldStates[kind],
      breaking.length > 0 ? breaking.map(({ variable }) => variable) : changes.map(({ field }) => field),
    ]);
  return states;
}
