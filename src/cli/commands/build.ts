import path from "node:path";
import { hasErrors } from "../../diagnostic.js";
import { defineCommand, exitCode } from "../command.js";
import { countDiagnostics, prettyDiagnostics } from "../report/diagnostics.js";
import { compileProject, withProject, workingFolder } from "../project.js";
import { assetsOf } from "../target.js";
import { watchProject } from "../watch.js";
import { writeBuild } from "../write-build.js";

export const build = defineCommand({
  summary: "Compile all templates to files",
  operands: "[names…]",
  flags: {
    out: { summary: "Write the files here (default dist/templates)", value: "DIR" },
    watch: { summary: "Compile again what a change concerns, until Ctrl-C" },
  },
  examples: ["templates build --out dist/emails", "templates build receipt --watch"],
  async run({ names, flags, output, signal }) {
    return withProject(flags, async (open) => {
      const out = path.resolve(workingFolder(flags), flags.out ?? path.join(open.project.folder, "dist", "templates"));
      const assets = flags.env === undefined ? open.project.assets : assetsOf(open.project, flags.env);
      const compiled = await compileProject(open, names, assets);
      const written = await writeBuild({
        out,
        results: compiled.results,
        roots: open.project.roots,
        ...(names.length === 0 ? { present: compiled.present } : {}),
      });

      if (compiled.diagnostics.length > 0)
        output.note(`${prettyDiagnostics(compiled.diagnostics, open.project.folder, output.style)}\n`);
      output.print(
        `${summary(written.length)} in ${path.relative(process.cwd(), out) || "."}${found(compiled.diagnostics)}`,
      );
      output.json({ out, templates: written, diagnostics: compiled.diagnostics });
      if (flags.watch) await watchProject({ open, names, out, assets, compiled, output, signal });
      return hasErrors(compiled.diagnostics) ? exitCode.findings : exitCode.done;
    });
  },
});

function summary(count: number): string {
  return `${count} template${count === 1 ? "" : "s"} compiled`;
}

function found(diagnostics: Parameters<typeof countDiagnostics>[0]): string {
  const count = countDiagnostics(diagnostics);
  return count === undefined ? "." : `; ${count}.`;
}
