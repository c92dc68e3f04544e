import { hasErrors } from "../../diagnostic.js";
import { UsageError } from "../arguments.js";
import { defineCommand, type ExitCode, exitCode } from "../command.js";
import { changesSince } from "../deploy/changes-since.js";
import { compare } from "../deploy/compare.js";
import { summaryFile } from "../deploy/deploy-flags.js";
import { documentFor, documentOf } from "../deploy/plan-deployment.js";
import { writeSummaries } from "../deploy/summaries.js";
import { withProject } from "../project.js";
import { countDiagnostics, prettyDiagnostics } from "../report/diagnostics.js";
import { type PlanDocument, printPlan } from "../report/plan/index.js";

export const diff = defineCommand({
  summary: "Show what differs between the local templates and an environment's, or a commit's, field by field",
  operands: "[names…]",
  flags: {
    base: { summary: "Compare with the templates of this commit, without a key", value: "GITREF" },
    summary: { summary: "Write the same as Markdown", value: "FILE" },
  },
  examples: ["templates diff receipt --env production", "templates diff --base origin/main --summary diff.md"],
  async run({ names, flags, output, signal, withProjectApart }) {
    const { base } = flags;
    const file = summaryFile(flags);
    const show = async (document: PlanDocument, code: ExitCode) => {
      printPlan(document, output, { isWhole: true });
      output.json(document);
      await writeSummaries(document, file);
      return code;
    };
    if (base !== undefined) {
      if (flags.env !== undefined)
        throw new UsageError("--base compares with a commit, and --env with a service.", { hint: "Give one of them." });
      return withProject(flags, async (open) => {
        const { plan, local, diagnostics } = await changesSince(base, open, names, output);
        if (hasErrors(diagnostics)) output.note(prettyDiagnostics(diagnostics, open.project.folder, output.style));
        const document = documentFor(plan, { base }, local, open.project.folder);
        return show(document, hasErrors(diagnostics) ? exitCode.findings : exitCode.done);
      });
    }
    return compare(
      { names, flags, output, signal, withProjectApart },
      async ({ deployTarget, plan, input, diagnostics }) => {
        if (diagnostics.length > 0) output.note(`${countDiagnostics(diagnostics)}; see: templates check`);
        const document = documentOf(deployTarget, plan, input.local);
        return show(document, hasErrors(diagnostics) ? exitCode.findings : exitCode.done);
      },
    );
  },
});
