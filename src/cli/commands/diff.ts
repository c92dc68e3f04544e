import { type Diagnostic, hasErrors } from "../../diagnostic.js";
import { UsageError } from "../arguments.js";
import { defineCommand, exitCode } from "../command.js";
import { changesSince } from "../deploy/changes-since.js";
import { compare } from "../deploy/compare.js";
import { environmentFlag, summaryFile } from "../deploy/deploy-flags.js";
import { documentFor, documentOf } from "../deploy/plan-deployment.js";
import { writeSummaries } from "../deploy/summaries.js";
import { withProject } from "../project.js";
import { countDiagnostics } from "../report/diagnostics.js";
import { errorEntries, type PlanDocument, planMarkdown, printPlan } from "../report/plan/index.js";

export const diff = defineCommand({
  operands: "[names…]",
  flags: {
    base: { summary: "Compare with the templates at this commit (needs no key)", value: "GITREF" },
    summary: { summary: "Also write the changes to this file as Markdown", value: "FILE" },
  },
  examples: ["templates diff receipt --env production", "templates diff --base origin/main --summary diff.md"],
  async run({ names, flags, output, signal, withKeylessProject }) {
    const { base } = flags;
    const file = summaryFile(flags);
    const show = async (plan: PlanDocument, diagnostics: readonly Diagnostic[], { folder, from }: Shown) => {
      if (diagnostics.length > 0) output.note(`${countDiagnostics(diagnostics)}; see: templates check`);
      const errors = errorEntries(diagnostics, folder);
      const document = errors.length === 0 ? plan : { ...plan, errors };
      printPlan(document, output, { isWhole: true });
      output.json(document);
      const seeAll = ["templates diff", ...names, ...from].join(" ");
      await writeSummaries(file, (bytes) => planMarkdown(document, { bytes, seeAll }));
      return hasErrors(diagnostics) ? exitCode.findings : exitCode.done;
    };
    if (base !== undefined) {
      if (flags.env !== undefined)
        throw new UsageError("--base compares with a commit, --env with an environment.", {
          hint: "Use only one of them.",
        });
      return withProject(flags, async (open) => {
        const { plan, local, diagnostics } = await changesSince(base, open, names, output);
        const { folder } = open.project;
        return show(documentFor(plan, { base }, local, folder), diagnostics, { folder, from: [`--base ${base}`] });
      });
    }
    return compare(
      { names, flags, output, signal, withKeylessProject },
      async ({ deployTarget, plan, input, diagnostics }) => {
        const { project, target } = deployTarget;
        const from = environmentFlag(target.environment);
        return show(documentOf(deployTarget, plan, input.local), diagnostics, { folder: project.folder, from });
      },
    );
  },
});

interface Shown {
  /** The project's folder. */
  readonly folder: string;
  /** The flags that select what to compare with. */
  readonly from: readonly string[];
}
