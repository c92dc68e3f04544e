import path from "node:path";
import { hasErrors } from "../../diagnostic.js";
import { defineCommand, exitCode } from "../command.js";
import { checkedOut, type GitCommit } from "../git.js";
import type { AssetsConfig } from "../../project/config.js";
import { assetsOf } from "../assets.js";
import { type OpenProject, projectCache, withProject, workingFolder } from "../project.js";
import { openBuildCache } from "../build-cache.js";
import type { CompiledProject } from "../compile-project.js";
import type { Project } from "../../project/load-project.js";
import { passedBy } from "../../registry/compare.js";
import { VERSION } from "../../version.js";
import { plural } from "../report/check-report.js";
import { openWrittenFiles, type SyncRecord, writeBuild } from "../write-build.js";

export const command = defineCommand({
  operands: "[names…]",
  flags: {
    out: { summary: "Write the files to this folder (default dist/templates)", value: "DIR" },
    watch: { summary: "Recompile affected templates on every change, until Ctrl-C" },
  },
  examples: [
    "templates build --out dist/emails",
    "templates build receipt --watch",
    "templates build --env production --out build",
  ],
  async run({ names, flags, output, signal }) {
    return withProject(flags, async (open) => {
      const out = path.resolve(workingFolder(flags), flags.out ?? path.join(open.project.folder, "dist", "templates"));
      const assets = flags.env === undefined ? open.project.assets : assetsOf(open.project, flags.env);
      const cache = projectCache(open.project, {});
      const written = openWrittenFiles(out, cache);
      // Watching needs every template's list of source files, which only compiling provides.
      const previous = flags.watch ? undefined : openBuildCache({ open, assets, cache, out, written, names });
      const commit = checkedOut(open.project.folder);
      const compiled = await compileOthers(open, previous?.names ?? names, assets, previous?.unchanged);
      const isForSync = names.length === 0 && !flags.watch && !hasErrors(compiled.diagnostics);
      const built = writeBuild({
        out,
        folder: open.project.folder,
        results: compiled.results,
        roots: open.project.roots,
        written,
        ...(isForSync && { sync: syncRecord(open.project, assets, await commit, compiled.present) }),
        ...(previous?.names && { unchanged: previous.unchanged }),
        ...(names.length === 0 && { present: compiled.present }),
      });
      if (built.length > 0) previous?.save(compiled);

      const templates = [...(previous?.unchanged ?? []), ...built].toSorted();
      const done = `${plural(templates.length, "template")} compiled in ${path.relative(process.cwd(), out) || "."}`;
      if (compiled.diagnostics.length === 0) output.print(`${done}.`);
      else {
        const { countDiagnostics, prettyDiagnostics } = await import("../report/diagnostics.js");
        output.note(`${prettyDiagnostics(compiled.diagnostics, open.project.folder, output.style)}\n`);
        output.print(`${done}; ${countDiagnostics(compiled.diagnostics)}.`);
      }
      output.json({ out, templates, diagnostics: compiled.diagnostics });
      if (flags.watch) {
        const { watchProject } = await import("../watch.js");
        await watchProject({ open, names, out, assets, compiled, output, signal });
      }
      return hasErrors(compiled.diagnostics) ? exitCode.findings : exitCode.done;
    });
  },
});

function syncRecord(
  project: Project,
  assets: AssetsConfig | undefined,
  commit: GitCommit | undefined,
  present: ReadonlySet<string>,
): SyncRecord {
  const { environments, defaultEnvironment, sync } = project;
  return {
    lettershop: VERSION,
    environments,
    ...(defaultEnvironment !== undefined && { defaultEnvironment }),
    sync,
    ...(assets && { assets }),
    ...(commit !== undefined && { commit }),
    templates: [...present].toSorted(),
    passed: Object.fromEntries(passedBy(project)),
  };
}

/** Compiles the templates of these names, or all if there are none, except for those that are unchanged. */
async function compileOthers(
  open: OpenProject,
  names: readonly string[],
  assets: AssetsConfig | undefined,
  unchanged: readonly string[] = [],
): Promise<CompiledProject> {
  const others = unchanged.length === 0 ? names : names.filter((name) => !unchanged.includes(name));
  const present = new Set(names);
  if (names.length > 0 && others.length === 0) return { results: [], diagnostics: [], present };
  const { compileProject } = await import("../compile-project.js");
  const compiled = await compileProject(open, others, assets);
  return names.length === 0 ? compiled : { ...compiled, present };
}
