import { once } from "node:events";
import { secretNames, withoutSecrets } from "../../project/own-environment.js";
import type { Diagnostic } from "../../diagnostic.js";
import { Latest } from "../../cache/memoize.js";
import type { OpenedProject, ProjectAccess } from "../../preview/server/preview-access.js";
import { diagnosticOf } from "../../preview/server/workspace/failures.js";
import { startPreview } from "../../preview/server/start.js";
import { serveProcess } from "../../process/keyless-process.js";
import { errorFacts } from "../../process/rpc.js";
import { isReadOnly } from "../../process/sandbox.js";
import type { Output } from "../output.js";
import { collectSooner } from "../tune-v8.js";
import { projectAccess } from "./project-access.js";
import { commandAccess } from "./command-access.js";
import { projectCommits } from "./commits.js";
import { localInbox } from "./inbox.js";
import type { SentFromPreview } from "../../preview/captured-mails.js";
import type { CommandFunctions, PreviewFunctions, ServeRequest } from "./command-functions.js";

/*
 * The process that serves the preview. It compiles templates, and so runs project code. It is started without any secrets and
 * ends with the command that started it.
 */

// The process runs all day and is mostly idle, so free memory sooner.
collectSooner(30);

/** Maximum number of sent messages whose template and variables are remembered. */
const SENT_HERE = 500;

// The terminal sends Ctrl-C to all of its processes, but only the command handles it.
process.on("SIGINT", () => undefined);

let serving: Promise<void> | undefined;
const functions = {
  isReadOnly,
  serve: (request) => (serving = serve(request)),
} satisfies PreviewFunctions;
const { command, signal } = serveProcess<CommandFunctions>({
  functions,
  // Errors to show to the user are described as by the command itself.
  factsOf: async (error) => (await import("../failure.js")).failureOf(error) ?? errorFacts(error),
});

async function serve({ flags, host, allowedHosts, port, token, isSynced }: ServeRequest): Promise<void> {
  const seen = withoutSecrets({});
  const [project, commits] = await Promise.all([projectAccess(flags), projectCommits(flags)]);
  const sentHere = new Latest<SentFromPreview>(SENT_HERE);
  const printTrouble = troublePrinter(project.folder);
  let opened: OpenedProject | undefined;
  const access: ProjectAccess = {
    ...project,
    async open() {
      const next = await project.open().catch(async (error: unknown) => {
        await printTrouble(diagnosticOf(error));
        throw error;
      });
      await printTrouble(undefined);
      command.notify("project", next.project);
      // The configuration names a key variable that this process can read. The command will start a new process without it.
      if (secretNames(next.project.environments, seen).length > 0) {
        if (!signal.aborted) await once(signal, "abort");
        signal.throwIfAborted();
      }
      opened = next;
      return next;
    },
  };
  const running = await startPreview({
    project: access,
    access: { ...commandAccess(command, sentHere), inbox: localInbox(project.folder, sentHere), commits },
    host,
    allowedHosts,
    port,
    token,
  });
  command.notify("listening", running.port);
  if (isSynced) {
    const [{ createLocalSync }, { createOutput }] = await Promise.all([
      import("./sync-on-save.js"),
      import("../output.js"),
    ]);
    const { workspace } = running;
    const sync = createLocalSync({
      opened: () => opened,
      names: async () => (await workspace.state()).templates.map(({ name }) => name),
      localUrl: () => command.call("local", undefined),
      output: createOutput({ json: false }),
      signal,
    });
    workspace.onCompiled(sync);
    workspace.subscribe((event) => {
      if (event.kind === "templates" && event.removed.length > 0) sync([]);
    });
    // Compile now: the page may not be opened for a while.
    void workspace.state();
  }
  if (!signal.aborted) await once(signal, "abort");
  await running.close();
}

/** Prints each configuration error once, and once that it is fixed. */
function troublePrinter(folder: string): (trouble: Diagnostic | undefined) => Promise<void> {
  let printed: string | undefined;
  let output: Output | undefined;
  return async (trouble) => {
    if (!trouble && printed === undefined) return;
    const [{ prettyDiagnostics }, { createOutput }] = await Promise.all([
      import("../report/diagnostics.js"),
      import("../output.js"),
    ]);
    // Reuse one output: each adds listeners to the streams.
    output ??= createOutput({ json: false });
    const text = trouble && prettyDiagnostics([trouble], folder, output.style);
    if (text !== printed) output.note(text ?? "The configuration errors are fixed.");
    printed = text;
  };
}

if (!signal.aborted) await once(signal, "abort");
await serving?.catch(() => undefined);
// Nobody needs what may still be running.
process.exit();
