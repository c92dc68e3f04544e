import { once } from "node:events";
import type { AssetsConfig } from "../../project/config.js";
import type { Project } from "../../project/load-project.js";
import { errorFacts, type ErrorFacts } from "../../process/rpc.js";
import { serveProcess } from "../../process/keyless-process.js";
import { isReadOnly } from "../../process/sandbox.js";
import { failureOf } from "../failure.js";
import { type OpenProject, type ProjectFlags, withProject } from "../project.js";
import { tuneV8 } from "../tune-v8.js";
import { compileTemplates } from "./compile-templates.js";

/*
 * The process that reads a project's configuration and compiles its templates for a command that holds a key. It is
 * started without any secrets, and ends with the command.
 */

export interface CompileRequest {
  readonly names: readonly string[];
  readonly assets?: AssetsConfig;
  /** Whether to also run the rules of `templates check`. */
  readonly check: boolean;
}

/** What a command can ask for. Don't trust anything in an answer: project code runs in this process. */
export interface Compiler {
  /** Asked before any project code runs: can the process write only to its own folders? */
  isReadOnly(input: undefined): unknown;
  /** Opens the project. Asked once. */
  project(flags: ProjectFlags): unknown;
  compile(request: CompileRequest): unknown;
}

tuneV8();

let opened: OpenProject | undefined;
let closed: Promise<void> | undefined;

const functions = {
  isReadOnly,
  project: (flags) =>
    new Promise<Project>((resolve, reject) => {
      closed = withProject(flags, async (open) => {
        opened = open;
        resolve(open.project);
        if (!signal.aborted) await once(signal, "abort");
      }).catch(reject);
    }),
  async compile({ names, assets, check }) {
    if (!opened) throw new Error("No project was opened.");
    const { present, ...compiled } = await compileTemplates(opened, names, assets, check);
    return { ...compiled, present: [...present] };
  },
} satisfies Compiler;

/** Errors to show to the user are described as by the command itself. */
function factsOf(error: unknown): ErrorFacts {
  return failureOf(error) ?? errorFacts(error);
}

const { signal } = serveProcess({ functions, factsOf });
if (!signal.aborted) await once(signal, "abort");
await closed;
// Nobody needs what may still be running.
process.exit();
