import { secretNames, withoutSecrets } from "../../config/secrets.js";
import type { Diagnostic } from "../../diagnostic.js";
import { Latest } from "../../latest.js";
import type { OpenedProject, ProjectAccess } from "../../preview/server/access.js";
import { diagnosticOf } from "../../preview/server/workspace/failures.js";
import { startPreview } from "../../preview/server/start.js";
import { isReadOnly } from "../apart/sandbox.js";
import { collectSooner } from "../tune-v8.js";
import { projectAccess } from "./access.js";
import { callCommand } from "./call-command.js";
import { commandAccess } from "./command-access.js";
import { projectCommits } from "./commits.js";
import { localInbox } from "./inbox.js";
import type { SentHere } from "./mail-in-words.js";
import type { Order, Report, ServeOrder } from "./protocol.js";

/*
 * The process that serves the preview: it compiles, and so runs the project's own code. It was started without anything
 * secret, and ends with the command that started it.
 */

// It is there all day, and rests for most of it.
collectSooner(30);

/** Mails of which the inbox knows what was put in. */
const SENT_HERE = 500;

const ending = new AbortController();
process.on("disconnect", () => ending.abort());
// A terminal tells every process in it; the command decides.
process.on("SIGINT", () => undefined);

const serving = new Promise<ServeOrder>((resolve) => {
  process.on("message", (order: Order) => {
    if (order.kind === "serve") resolve(order);
    else if (order.kind === "end") ending.abort();
  });
});

function tell(report: Report): void {
  if (process.connected) process.send?.(report);
}

tell({ kind: "started", isReadOnly: isReadOnly() });

async function serve({ flags, host, allowedHosts, port, token, isSynced }: ServeOrder): Promise<void> {
  const { signal } = ending;
  const seen = withoutSecrets({});
  const [project, commits] = await Promise.all([projectAccess(flags), projectCommits(flags)]);
  const sentHere = new Latest<SentHere>(SENT_HERE);
  const call = callCommand(tell);
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
      tell({ kind: "project", project: next.project });
      // The command will start another process, without the key that has got into this one by its name.
      if (secretNames(next.project.environments, seen).length > 0) await forItsEnd(signal);
      opened = next;
      return next;
    },
  };
  const running = await startPreview({
    project: access,
    access: {
      ...commandAccess(call, sentHere),
      inbox: localInbox(project.folder, sentHere),
      ...(commits && { commits }),
    },
    host,
    allowedHosts,
    ...(port === undefined ? {} : { port }),
    ...(token === undefined ? {} : { token }),
  });
  tell({ kind: "listening", port: running.port });
  if (isSynced) {
    const [{ createLocalSync }, { createOutput }] = await Promise.all([
      import("./sync-on-save.js"),
      import("../output.js"),
    ]);
    const { workspace } = running;
    const { bring } = createLocalSync({
      opened: () => opened,
      names: async () => (await workspace.state()).templates.map(({ name }) => name),
      localUrl: () => call("local", undefined),
      output: createOutput({ json: false }),
      signal,
    });
    workspace.onCompiled(bring);
    workspace.subscribe((event) => {
      if (event.kind === "templates" && event.removed.length > 0) bring([]);
    });
    // Nobody may look at the page for long.
    void workspace.state();
  }
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  await running.close();
}

/** Prints what is wrong with the configuration, and that it is over, each once. */
function troublePrinter(folder: string): (trouble: Diagnostic | undefined) => Promise<void> {
  let printed: string | undefined;
  return async (trouble) => {
    if (!trouble && printed === undefined) return;
    const [{ prettyDiagnostics }, { createOutput }] = await Promise.all([
      import("../report/diagnostics.js"),
      import("../output.js"),
    ]);
    const output = createOutput({ json: false });
    const text = trouble && prettyDiagnostics([trouble], folder, output.style);
    if (text !== printed) output.note(text ?? "The configuration has no more errors.");
    printed = text;
  };
}

/** @throws When it has come. */
function forItsEnd(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

try {
  await serve(await serving);
} catch (error) {
  const { failureOf } = await import("../failure.js");
  const failure = failureOf(error);
  if (failure) tell({ kind: "failed", ...failure });
  else tell({ kind: "defect", trace: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
// What is still being done is for nobody.
if (process.connected) process.disconnect();
process.exit();
