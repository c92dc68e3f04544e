import { remoteName } from "../../config/environment.js";
import { hasErrors } from "../../diagnostic.js";
import { createPlan, type Plan, readRemote } from "../../sync/index.js";
import { defineCommand, exitCode } from "../command.js";
import { countDiagnostics } from "../report/diagnostics.js";
import { compileProject } from "../compile-project.js";
import { withProject } from "../project.js";
import { table } from "../report/table.js";
import { withTarget } from "../target.js";

interface Row {
  readonly name: string;
  readonly state: "unchanged" | "to create" | "to update" | "only on the service" | "does not compile";
  readonly fields?: readonly string[];
}

export const status = defineCommand({
  summary: "Compare the local templates with an environment's",
  operands: "[names…]",
  flags: {},
  examples: ["templates status --env production"],
  async run({ names, flags, output, signal }) {
    return withProject(flags, async (open) => {
      return withTarget(open.project, flags.env, output, async (target) => {
        const { client, environment } = target;
        const { results, diagnostics } = await compileProject(open, names, environment.assets);
        const local = results.flatMap(({ compiled }) =>
          compiled === undefined ? [] : [{ ...compiled, name: remoteName(environment, compiled.name) }],
        );
        const remote = await readRemote({ client, domain: environment.domain, local, signal });
        const broken = new Set(
          diagnostics.flatMap(({ severity, template }) =>
            severity === "error" && template !== undefined ? [remoteName(environment, template)] : [],
          ),
        );
        const rows = rowsOf(createPlan({ local, remote }), broken, names.length > 0);

        if (rows.length > 0)
          output.print(
            table([
              ["TEMPLATE", "STATE", ""],
              ...rows.map(({ name, state, fields }) => [name, state, fields?.join(", ") ?? ""]),
            ]),
          );
        else output.print("No templates, here or on the service.");
        if (diagnostics.length > 0) output.note(`${countDiagnostics(diagnostics)}; see: templates check`);
        output.json({ environment: environment.name, domain: environment.domain, templates: rows, diagnostics });
        return hasErrors(diagnostics) ? exitCode.findings : exitCode.done;
      });
    });
  },
});

function rowsOf(plan: Plan, broken: ReadonlySet<string>, someOnly: boolean): Row[] {
  const rows: Row[] = [
    ...plan.operations.map((operation): Row =>
      operation.kind === "create"
        ? { name: operation.name, state: "to create" }
        : { name: operation.name, state: "to update", fields: operation.changes.map(({ field }) => field) },
    ),
    ...plan.unchanged.map((name): Row => ({ name, state: "unchanged" })),
    ...[...broken].map((name): Row => ({ name, state: "does not compile" })),
    ...(someOnly
      ? []
      : plan.unmanaged
          .filter((name) => !broken.has(name))
          .map((name): Row => ({ name, state: "only on the service" }))),
  ];
  return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
