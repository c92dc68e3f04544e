import path from "node:path";
import { hasErrors } from "../../diagnostic.js";
import { defineCommand, exitCode } from "../command.js";
import { compileProject, withProject, workingFolder } from "../project.js";
import { assetsOf } from "../assets.js";
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
      const written = writeBuild({
        out,
        results: compiled.results,
        roots: open.project.roots,
        ...(names.length === 0 ? { present: compiled.present } : {}),
      });

      const done = `${summary(written.length)} in ${path.relative(process.cwd(), out) || "."}`;
      if (compiled.diagnostics.length === 0) output.print(`${done}.`);
      else {
        const { countDiagnostics, prettyDiagnostics } = await import("../report/diagnostics.js");
        output.note(`${prettyDiagnostics(compiled.diagnostics, open.project.folder, output.style)}\n`);
        output.print(`${done}; ${countDiagnostics(compiled.diagnostics)}.`);
      }
      output.json({ out, templates: written, diagnostics: compiled.diagnostics });
      if (flags.watch) {
        const { watchProject } = await import("../watch.js");
        await watchProject({ open, names, out, assets, compiled, output, signal });
      }
      return hasErrors(compiled.diagnostics) ? exitCode.findings : exitCode.done;
    });
  },
});

function summary(count: number): string {
  return `${count} template${count === 1 ? "" : "s"} compiled`;
}
