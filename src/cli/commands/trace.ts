import type { MailStore } from "../../send/store/store.js";
import { defineCommand, exitCode } from "../command.js";
import { storeNamed, withStore } from "../outbox/open-store.js";
import { readSince } from "../since.js";
import { withTarget } from "../target.js";
import { traceAsDocument, traceInWords } from "../trace/in-words.js";
import { traceAddress, traceMessage } from "../trace/traced-message.js";

/** How far back an address is looked for without `--since`. */
const LOOKED_BACK = "7d";

export const trace = defineCommand({
  summary: "Tell in plain words what happened to a mail",
  operands: "ADDRESS|ID",
  count: [1, 1],
  flags: {
    store: { summary: "The mailer's store, for what was queued (default: LETTERSHOP_STORE)", value: "FILE" },
    since: { summary: `For an address: how far to look back, a time or an age (default ${LOOKED_BACK})`, value: "T" },
    showAddresses: { summary: "Addresses in full; else they are masked" },
  },
  examples: [
    "templates trace ada@example.com --since 2d",
    "templates trace 1763719322011.8f14e45fceea167a --env production",
    'templates trace "<0c6c7dd1@example.com>" --store data/mail.db',
  ],
  async run({ names: [wanted = ""], flags, output, signal, withProjectApart }) {
    const showing = { addresses: flags.showAddresses };
    const since = readSince(flags.since ?? LOOKED_BACK, new Date());
    const look = (store?: MailStore) =>
      withProjectApart(flags, signal, ({ project }) =>
        withTarget(project, flags.env, output, (target) => {
          const places = { target, signal, ...(store && { store }) };
          return isAddress(wanted)
            ? traceAddress(wanted, since, places)
            : traceMessage(wanted, places).then((message) => [message]);
        }),
      );
    const found = storeNamed(flags) === undefined ? await look() : await withStore(flags, look);
    for (const [index, message] of found.entries()) {
      if (index > 0) output.print();
      for (const line of traceInWords(message, showing)) output.print(line);
    }
    if (found.length === 0) output.print("Nothing is known of mail to this address since then.");
    else output.note("Times are in UTC.");
    output.json({ messages: found.map((message) => traceAsDocument(message, showing)) });
    return found.length === 0 ? exitCode.findings : exitCode.done;
  },
});

/** Whether it is rather an address than a Message-ID without its angle brackets, which is long and has digits in it. */
function isAddress(text: string): boolean {
  const [, localPart = ""] = /^([^\s<>]+)@[^\s<>]+$/.exec(text) ?? [];
  return localPart !== "" && !(localPart.length >= 20 && /\d/.test(localPart));
}
