import { type Diagnostic, hasErrors } from "../../diagnostic.js";
import { UsageError } from "../arguments.js";
import { defineCommand, exitCode } from "../command.js";
import { compare } from "../deploy/compare.js";
import { environmentFlag, summaryFile } from "../deploy/deploy-flags.js";
import { cautious, documentFor, documentOf } from "../deploy/plan-deployment.js";
import { writeSummaries } from "../deploy/summaries.js";
import type { Project } from "../../project/load-project.js";
import { compileContext, type OpenProject, withProject } from "../project.js";
import { countDiagnostics } from "../report/diagnostics.js";
import type { PlanDocument } from "../report/plan/document.js";
import { planMarkdown } from "../report/plan/markdown.js";
import { errorEntries } from "../report/plan/plan-document.js";
import { printPlan } from "../report/plan/terminal.js";
import { LettershopError } from "../../errors.js";
import { contractId } from "../../mustache/contract-id.js";
import { compileAll } from "../../render/compile.js";
import {
  contentHash,
  createPlan,
  type LocalTemplate,
  type RemoteState,
  remoteTemplate,
  writeMarker,
} from "../../sync/index.js";
import { loadTemplates } from "../../project/load-templates.js";
import type { CompileResult } from "../../project/template.js";
import { withBaseProject, withBaseTree } from "../base-tree.js";
import { compileProject, keylessTemplate } from "../compile-project.js";
import type { Output } from "../output.js";
import { localTemplate } from "../deploy/local-side.js";

/** Marks the commit's templates as applied by this project. */
const MARKER = "lettershop";
const THEN = "1970-01-01T00:00:00Z";

/**
 * Compares the templates with those of a commit. Needs no key and no service. The plan is what syncing the current templates
 * would do to an environment with the commit's templates.
 *
 * @throws {UsageError} There is no repository, no such commit, or no template of a name.
 */
async function changesSince(ref: string, open: OpenProject, names: readonly string[], output: Output) {
  const { project } = open;
  const { results, present, diagnostics } = await compileProject(open, names);
  const before = await compiledAt(ref, open, names, output);
  const local = locals(results, project.folder);
  const broken = results.flatMap(({ name, compiled }) => (compiled === undefined ? [name] : []));
  const plan = createPlan({
    local,
    present: new Set([...present, ...broken]),
    remote: stateOf(before),
    entries: new Map(),
    written: new Map(),
    contracts: new Map(before.flatMap(({ name, contract }) => (contract === undefined ? [] : [[name, contract]]))),
    markerText: MARKER,
    isInReach: () => true,
    isPrunable: () => false,
    choices: cautious(project),
  });
  // There is no service to send requests to.
  return { plan: { ...plan, requests: [] }, local, diagnostics };
}

/** Compiles the templates at the commit. Those that don't compile there count as new. */
function compiledAt(
  ref: string,
  { project }: OpenProject,
  names: readonly string[],
  output: Output,
): Promise<readonly LocalTemplate[]> {
  return withBaseTree(ref, project.folder, (tree) =>
    withBaseProject(tree, project, async (open) => {
      const { templates } = loadTemplates(open.project.roots, names.length > 0 ? names : undefined);
      const results = await compileAll(templates, compileContext(open));
      for (const { name, diagnostics } of results)
        if (hasErrors(diagnostics)) output.note(`${name} does not compile at ${ref}, so it counts as new.`);
      return locals(results, open.project.folder);
    }).catch((error: unknown) => {
      if (!(error instanceof LettershopError)) throw error;
      output.note(`The project at ${ref} can't be read, so everything counts as new: ${error.message}`);
      return [];
    }),
  );
}

function locals(results: readonly CompileResult[], folder: string): LocalTemplate[] {
  return results.flatMap((result) => {
    const template = keylessTemplate(result);
    return template ? [localTemplate(template, folder)] : [];
  });
}

function stateOf(templates: readonly LocalTemplate[]): RemoteState {
  const all = new Map(
    templates.map(({ name, content, contract }) => {
      const id = contract === undefined ? "" : contractId(contract);
      const marker = { text: MARKER, applied: contentHash(content), contract: id };
      const stored = { ...content, name, description: writeMarker(content.description, marker) };
      const at = { askedAt: 0, seen: undefined };
      return [name, remoteTemplate({ ...stored, created_at: THEN, updated_at: THEN }, at)];
    }),
  );
  return { summaries: all, templates: all, leases: [], askedAt: 0 };
}

export const command = defineCommand({
  operands: "[names…]",
  flags: {
    base: { summary: "Compare with the templates at this commit (needs no key)", value: "GITREF" },
    summary: { summary: "Also write the changes to this file as Markdown", value: "FILE" },
  },
  examples: ["templates diff receipt --env production", "templates diff --base origin/main --summary diff.md"],
  async run(invocation) {
    const { names, flags, output } = invocation;
    const { base } = flags;
    const file = summaryFile(flags);
    const show = async (
      plan: PlanDocument,
      diagnostics: readonly Diagnostic[],
      { folder }: Project,
      comparedWith: readonly string[],
    ) => {
      if (diagnostics.length > 0) output.note(`${countDiagnostics(diagnostics)}; see: templates check`);
      const errors = errorEntries(diagnostics, folder);
      const document = errors.length === 0 ? plan : { ...plan, errors };
      printPlan(document, output, { isWhole: true });
      output.json(document);
      const seeAll = ["templates diff", ...names, ...comparedWith].join(" ");
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
        const document = documentFor(plan, { base }, local, open.project.folder);
        return show(document, diagnostics, open.project, [`--base ${base}`]);
      });
    }
    return compare(invocation, async ({ deployTarget, plan, input, diagnostics }) => {
      const { project, target } = deployTarget;
      const document = documentOf(deployTarget, plan, input.local);
      return show(document, diagnostics, project, environmentFlag(target.environment));
    });
  },
});
