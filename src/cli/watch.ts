import path from "node:path";
import type { AssetsConfig } from "../config/define.js";
import { isConcerned, madeFrom, outsideSources } from "../render/concerned.js";
import type { CompileResult } from "../template/template.js";
import { projectCache } from "./caches.js";
import { prettyDiagnostics } from "./report/diagnostics.js";
import type { Output } from "./output.js";
import { type CompiledProject, selectTemplates } from "./compile-project.js";
import { compileContext, type OpenProject } from "./project.js";
import { writeBuild } from "./write-build.js";
import { openWrittenFiles } from "./written-files.js";

export interface WatchOptions {
  readonly open: OpenProject;
  readonly names: readonly string[];
  readonly out: string;
  readonly assets: AssetsConfig | undefined;
  /** What is compiled already. */
  readonly compiled: CompiledProject;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** Several saves of an editor in one go are one change. */
const settleMs = 40;

/** Compiles again what a change concerns, and writes it, until the signal. */
export async function watchProject({
  open,
  names,
  out,
  assets,
  compiled,
  output,
  signal,
}: WatchOptions): Promise<void> {
  const { watch } = await import("chokidar");
  const { compileAll } = await import("../render/compile.js");
  const { project } = open;
  let last = new Map(compiled.results.map((result) => [result.name, read(result)]));
  const made = new Map(compiled.results.map((result) => [result.name, madeFrom(result)]));
  const changed = new Set<string>();

  const rebuild = async (): Promise<void> => {
    const files = new Set(changed);
    changed.clear();
    const loaded = selectTemplates(open, []);
    const wanted = names.length === 0 ? loaded.templates : loaded.templates.filter(({ name }) => names.includes(name));
    const concerned = wanted.filter(({ name }) => isConcerned(made.get(name), project.roots, files));
    const results = await compileAll(concerned, compileContext(open, assets));
    for (const result of results) made.set(result.name, madeFrom(result));
    const fresh = new Map(results.map((result) => [result.name, read(result)]));
    last = new Map(
      wanted.flatMap(({ name }) => fresh.get(name) ?? last.get(name) ?? []).map((result) => [result.name, result]),
    );
    const built = writeBuild({
      out,
      results: [...last.values()],
      roots: project.roots,
      written: openWrittenFiles(out, projectCache(project, {})),
      ...(names.length === 0 ? { present: loaded.names } : {}),
    });
    const found = [...loaded.diagnostics, ...results.flatMap((result) => result.diagnostics)];
    if (found.length > 0) output.note(`${prettyDiagnostics(found, project.folder, output.style)}\n`);
    const compiledNow = built.filter((name) => fresh.has(name));
    output.note(compiledNow.length === 0 ? "Nothing compiled." : `Compiled ${compiledNow.join(", ")}.`);
  };

  // One rebuild at a time; what changes meanwhile is the next one's.
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const schedule = (file: string): void => {
    changed.add(path.resolve(file));
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running
        .then(rebuild)
        .catch((error: unknown) => output.note(error instanceof Error ? error.message : String(error)));
    }, settleMs);
  };

  const watcher = watch([...project.roots, ...outsideSources(made.values(), project.roots)], { ignoreInitial: true });
  watcher.on("all", (_event, file) => schedule(file));
  await new Promise<void>((resolve) => watcher.once("ready", resolve));
  output.note("Watching for changes. Ctrl-C ends it.");
  await new Promise<void>((resolve) =>
    signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve(), { once: true }),
  );
  clearTimeout(timer);
  await watcher.close();
  await running;
}

/** With its bodies: the cache that they lie in may be emptied while this waits. */
function read(result: CompileResult): CompileResult {
  return result.compiled ? { ...result, compiled: { ...result.compiled } } : result;
}
