import { remoteName } from "../../config/environment.js";
import { hasErrors } from "../../diagnostic.js";
import { applyPlan, createPlan, type Plan, readRemote } from "../../sync/index.js";
import { defineCommand, type ExitCode, exitCode } from "../command.js";
import { countDiagnostics, prettyDiagnostics } from "../report/diagnostics.js";
import type { Output } from "../output.js";
import { compileProject } from "../compile-project.js";
import { withProject } from "../project.js";
import { describeEvent, describeOperation, describePlan, planDocument } from "../report/sync-report.js";
import { withTarget } from "../target.js";

export const sync = defineCommand({
  summary: "Bring the templates of an environment up to date",
  operands: "[names…]",
  flags: {
    dryRun: { summary: "Show the plan and change nothing" },
    check: { summary: "Show the plan, change nothing, and exit with 1 when anything would change" },
  },
  examples: [
    "templates sync --env production --dry-run",
    "templates sync --env production",
    "templates sync receipt --env staging",
  ],
  async run({ names, flags, output, signal }) {
    return withProject(flags, async (open) => {
      return withTarget(open.project, flags.env, output, async (target) => {
        const { results, diagnostics } = await compileProject(open, names, target.environment.assets);
        if (diagnostics.length > 0)
          output.note(`${prettyDiagnostics(diagnostics, open.project.folder, output.style)}\n`);
        if (hasErrors(diagnostics)) {
          output.note(`Nothing was applied: ${countDiagnostics(diagnostics)}.`);
          output.json({ applied: [], diagnostics });
          return exitCode.findings;
        }

        const { client, environment } = target;
        const { domain } = environment;
        const local = results.flatMap(({ compiled }) =>
          compiled === undefined ? [] : [{ ...compiled, name: remoteName(environment, compiled.name) }],
        );
        const onEvent = describeEvent(output);
        const remote = await readRemote({ client, domain, local, signal, onEvent });
        const plan = createPlan({ local, remote });
        for (const line of describePlan(plan, output.style)) output.print(line);

        if (flags.dryRun || flags.check || plan.operations.length === 0) {
          output.json({ ...planDocument(plan), applied: [], failed: [], notAttempted: [], diagnostics });
          const unapplicable = plan.obstacles.length > 0;
          return unapplicable || (flags.check && plan.operations.length > 0) ? exitCode.findings : exitCode.done;
        }
        if (plan.obstacles.length > 0) {
          output.note("Nothing was applied.");
          output.json({
            ...planDocument(plan),
            applied: [],
            failed: [],
            notAttempted: plan.operations.map(describeOperation),
            diagnostics,
          });
          return exitCode.findings;
        }
        const result = await applyPlan({ plan, client, domain, signal, onEvent });
        reportResult(result, plan, output);
        output.json({
          ...planDocument(plan),
          applied: result.applied.map(describeOperation),
          failed: result.failed.map(({ operation, error }) => ({
            ...describeOperation(operation),
            message: error.message,
          })),
          notAttempted: result.notAttempted.map(describeOperation),
          diagnostics,
        });
        return exitOf(result, signal);
      });
    });
  },
});

type Result = Awaited<ReturnType<typeof applyPlan>>;

function reportResult({ applied, failed, notAttempted }: Result, plan: Plan, output: Output): void {
  const { style } = output;
  output.print();
  for (const { operation, error } of failed)
    output.print(style("red", `✗ ${operation.kind} ${operation.name}: ${error.message}`));
  if (notAttempted.length > 0)
    output.print(style("yellow", `Not applied: ${notAttempted.map(({ name }) => name).join(", ")}.`));
  const sentence = `${applied.length} of ${plan.operations.length} applied, ${plan.unchanged.length} unchanged.`;
  output.print(failed.length + notAttempted.length === 0 ? style("green", sentence) : sentence);
}

function exitOf({ applied, failed, notAttempted }: Result, signal: AbortSignal): ExitCode {
  if (signal.aborted && notAttempted.length > 0) return exitCode.interrupted;
  if (failed.length + notAttempted.length === 0) return exitCode.done;
  return applied.length > 0 ? exitCode.partial : exitCode.refused;
}
