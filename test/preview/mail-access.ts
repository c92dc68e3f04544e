import { once } from "node:events";
import { createServer } from "node:net";
import { onTestFinished } from "vitest";
import { projectAccess } from "../../src/cli/preview/project-access.js";
import { type CallCommand, commandAccess } from "../../src/cli/preview/command-access.js";
import { localInbox } from "../../src/cli/preview/inbox.js";
import { createKeeper } from "../../src/cli/preview/keeper.js";
import { openLocalService } from "../../src/cli/preview/local-service.js";
import type { SentHere } from "../../src/cli/preview/mail-summary.js";
import type { CallOutput } from "../../src/cli/preview/protocol.js";
import { quietOutput } from "../../src/cli/output.js";
import { Latest } from "../../src/cache/latest.js";
import type { PreviewAccess } from "../../src/preview/server/preview-access.js";

export interface MailAccess extends Required<Pick<PreviewAccess, "inbox" | "mailer" | "remote">> {
  readonly environments: PreviewAccess["environments"];
  readonly call: CallCommand;
}

interface MailAccessOptions {
  readonly seen?: readonly string[];
  /** When the access is closed. Default: when the test ends. */
  readonly atEnd?: (close: () => Promise<void>) => void;
}

/** The access that the command gives the preview of a project's folder, with only JSON between them. */
export async function mailAccess(
  folder: string,
  { seen = [], atEnd = onTestFinished }: MailAccessOptions = {},
): Promise<MailAccess> {
  const opened = await (await projectAccess({ cwd: folder, config: undefined })).open();
  const ending = new AbortController();
  const local = openLocalService(() => undefined);
  const keeper = createKeeper({
    location: opened.project,
    project: () => opened.project,
    isSeen: (variable) => seen.includes(variable),
    local,
    output: quietOutput,
    signal: ending.signal,
  });
  atEnd(async () => {
    ending.abort();
    await keeper.close();
    await local.close();
    await opened.close();
  });
  const call: CallCommand = async (name, input) => {
    const answer = await keeper.answer(overWire({ name, input }));
    if ("error" in answer) throw new Error(answer.error.message);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the name stands for
    return overWire(answer.value) as CallOutput<typeof name>;
  };
  const sentHere = new Latest<SentHere>(10);
  const { environments, mailer, remote } = commandAccess(call, sentHere);
  if (!mailer || !remote) throw new Error("There is no mailer, or no remote.");
  return { call, environments, mailer, remote, inbox: localInbox(folder, sentHere) };
}

function overWire<Value>(value: Value): Value {
  return value === undefined ? value : JSON.parse(JSON.stringify(value));
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
