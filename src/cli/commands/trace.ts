import { storeFlags } from "../outbox/store-flags.js";
import type { MailStore } from "../../send/store/store.js";
import { defineCommand, exitCode } from "../command.js";
import { storeNamed, withStore } from "../outbox/boxes.js";
import { readSince } from "../arguments.js";
import { withTarget } from "../target.js";
import { formatTrace, traceAddress, traceAsDocument, traceMessage } from "../traced-message.js";

/** How far back to search for an address without `--since`. */
const DEFAULT_AGE = "7d";

export const command = defineCommand({
  operands: "ADDRESS|ID",
  count: [1, 1],
  flags: {
    ...storeFlags("to include queued messages"),
    since: {
      summary: `Search for an address since this time (ISO 8601, or an age; default ${DEFAULT_AGE})`,
      value: "T",
    },
    showAddresses: { summary: "Show full addresses (masked by default)" },
  },
  examples: [
    "templates trace ada@example.com --since 2d",
    "templates trace 1763719322011.8f14e45fceea167a --env production",
    'templates trace "<0c6c7dd1@example.com>" --store data/mail.db',
  ],
  async run({ names: [wanted = ""], flags, output, signal, withKeylessProject }) {
    const showing = { addresses: flags.showAddresses };
    const since = readSince(flags.since ?? DEFAULT_AGE, new Date());
    const look = (store?: MailStore) =>
      withKeylessProject(flags, signal, ({ project }) =>
        withTarget(project, flags.env, output, (target) => {
          const places = { target, signal, ...(store && { store }) };
          return isAddress(wanted)
            ? traceAddress(wanted, since, places)
            : traceMessage(wanted, places).then((message) => [message]);
        }),
      );
    const messages = storeNamed(flags) === undefined ? await look() : await withStore(flags, look);
    for (const [index, message] of messages.entries()) {
      if (index > 0) output.print();
      for (const line of formatTrace(message, showing)) output.print(line);
    }
    if (messages.length === 0) output.print(`No messages to this address since ${since.toISOString()}.`);
    else output.note("Times are in UTC.");
    output.json({ messages: messages.map((message) => traceAsDocument(message, showing)) });
    return messages.length === 0 ? exitCode.findings : exitCode.done;
  },
});

/** Tells an email address from a Message-ID without its angle brackets, which is long and contains digits. */
function isAddress(text: string): boolean {
  const [, localPart = ""] = /^([^\s<>]+)@[^\s<>]+$/.exec(text) ?? [];
  return localPart !== "" && !(localPart.length >= 20 && /\d/.test(localPart));
}
