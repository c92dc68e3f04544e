import { once } from "node:events";
import { createServer } from "node:net";
import { onTestFinished } from "vitest";
import { projectAccess } from "../../src/cli/preview/project-access.js";
import { commandAccess } from "../../src/cli/preview/command-access.js";
import { localInbox } from "../../src/cli/preview/inbox.js";
import { createKeeper } from "../../src/cli/preview/keeper.js";
import { openLocalService } from "../../src/cli/preview/local-service.js";
import type { SentFromPreview } from "../../src/preview/captured-mails.js";
import type { CommandFunctions } from "../../src/cli/preview/command-functions.js";
import { quietOutput } from "../../src/cli/output.js";
import { Latest } from "../../src/cache/memoize.js";
import { type Channel, Rpc } from "../../src/process/rpc.js";
import type { PreviewAccess } from "../../src/preview/server/preview-access.js";

export interface MailAccess extends Required<Pick<PreviewAccess, "inbox" | "outbox" | "mailer" | "remote">> {
  readonly environments: PreviewAccess["environments"];
  readonly command: Rpc<CommandFunctions>;
}

interface MailAccessOptions {
  /** As for `--store`. */
  readonly store?: string;
  readonly seen?: readonly string[];
  /** When the access is closed. Default: when the test ends. */
  readonly atEnd?: (close: () => Promise<void>) => void;
}

/** The access that the command gives the preview of a project's folder, with only JSON between them. */
export async function mailAccess(
  folder: string,
  { store, seen = [], atEnd = onTestFinished }: MailAccessOptions = {},
): Promise<MailAccess> {
  const opened = await (await projectAccess({ cwd: folder, config: undefined })).open();
  const ending = new AbortController();
  const local = openLocalService(() => undefined);
  const keeper = createKeeper({
    location: opened.project,
    project: () => opened.project,
    isSeen: (variable) => seen.includes(variable),
    local,
    store: { store, schema: undefined, cwd: folder },
    output: quietOutput,
    signal: ending.signal,
  });
  atEnd(async () => {
    ending.abort();
    await keeper.close();
    await local.close();
    await opened.close();
  });
  const [commandSide, previewSide] = jsonChannels();
  const { functions, factsOf } = keeper;
  const served = new Rpc(commandSide, { functions, factsOf });
  atEnd(async () => served.disconnect(new Error("The command has ended.")));
  const command = new Rpc<CommandFunctions>(previewSide);
  const sentHere = new Latest<SentFromPreview>(10);
  const { environments, mailer, outbox, remote } = commandAccess(command, sentHere);
  if (!mailer || !outbox || !remote) throw new Error("There is no mailer, outbox or remote.");
  return { command, environments, mailer, outbox, remote, inbox: localInbox(folder, sentHere) };
}

function jsonChannels(): readonly [Channel, Channel] {
  const listeners: ((message: unknown) => void)[] = [];
  const channel = (side: 0 | 1): Channel => ({
    send: (message) => void Promise.resolve(JSON.parse(JSON.stringify(message))).then(listeners[1 - side]),
    listen: (onMessage) => (listeners[side] = onMessage),
  });
  return [channel(0), channel(1)];
}

/** URL of a service that does not run: a port that was free a moment ago. */
export async function nobodysAddress(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}
