import type { AssetsConfig } from "../../config/define.js";
import type { Project } from "../../config/load.js";
import { checkTemplates } from "../../check/index.js";
import { hasErrors } from "../../diagnostic.js";
import { compileAll } from "../../render/compile.js";
import { recompile, tryVariations } from "../../render/recompile.js";
import { wholeNumber } from "../arguments.js";
import { defineCommand, exitCode } from "../command.js";
import { countDiagnostics } from "../report/diagnostics.js";
import { formats, isFormat } from "../report/formats.js";
import { compileContext, withProject, selectTemplates } from "../project.js";
import { assetsOf } from "../assets.js";

export const check = defineCommand({
  summary: "Report what is wrong with the templates",
  operands: "[names…]",
  flags: {
    format: { summary: "How to print the findings (default pretty)", value: "FORMAT", oneOf: Object.keys(formats) },
    maxWarnings: { summary: "Fail when there are more warnings than this", value: "N" },
  },
  examples: ["templates check", "templates check --format github --max-warnings 0"],
  async run({ names, flags, output }) {
    const maxWarnings = wholeNumber("--max-warnings", flags.maxWarnings, 0, 1_000_000);
    return withProject(flags, async (open) => {
      const { templates, diagnostics } = selectTemplates(open, names);
      // Without the cache: what an earlier day compiled says nothing of whether two builds of today are the same.
      const { cache: _, ...context } = compileContext(open, assetsToCheck(open.project, flags.env));
      const found = [
        ...diagnostics,
        ...(await checkTemplates({
          templates,
          compile: (all) => compileAll(all, context),
          recompile: (all, clock) => recompile(all, context, clock),
          tryVariations: (result) => tryVariations(result, context),
        })),
      ];
      const format = flags.format ?? "pretty";
      if (isFormat(format))
        output.print(
          formats[format](found, { folder: open.project.folder, style: output.style, checked: templates.length }),
        );
      output.json({ diagnostics: found });
      const warnings = found.filter(({ severity }) => severity === "warning").length;
      const tooMany = maxWarnings !== undefined && warnings > maxWarnings;
      if (tooMany) output.note(`${warnings} warnings, and --max-warnings allows ${maxWarnings}.`);
      else if (found.length > 0 && format !== "pretty") output.note(`${countDiagnostics(found)}.`);
      return hasErrors(found) || tooMany ? exitCode.findings : exitCode.done;
    });
  },
});

/** Images are checked at the addresses that they will have: the named environment's, else those of the first that says where they are. */
function assetsToCheck(project: Project, environment: string | undefined): AssetsConfig | undefined {
  if (environment !== undefined) return assetsOf(project, environment);
  return project.assets ?? Object.values(project.environments).find(({ assets }) => assets !== undefined)?.assets;
}
