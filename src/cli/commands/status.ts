import { hasErrors } from "../../diagnostic.js";
import { defineCommand, exitCode } from "../command.js";
import { compare, statesOf } from "../deploy/compare.js";
import { countDiagnostics } from "../report/diagnostics.js";
import { table } from "../report/table.js";
import { remoteName } from "../../project/environment.js";

export const command = defineCommand({
  operands: "[names…]",
  flags: {},
  examples: ["templates status --env production"],
  async run(invocation) {
    const { output } = invocation;
    return compare(invocation, async ({ deployTarget, plan, input, side, diagnostics }) => {
      const { environment } = deployTarget.target;
      const broken = diagnostics.flatMap(({ severity, template }) =>
        severity === "error" && template !== undefined ? [remoteName(environment, template)] : [],
      );
      const { summaries } = input.remote;
      const here = new Set([...input.local.map(({ name }) => name), ...side.present]);
      const rows = [...statesOf(plan, broken)]
        .map(([name, [state, fields]]) => {
          const updatedAt = summaries.get(name)?.updatedAt;
          return { name, here: here.has(name), updatedAt, state, fields };
        })
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));

      if (rows.length === 0) output.print("There are no templates in the project or on the service.");
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
