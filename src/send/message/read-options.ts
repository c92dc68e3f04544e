import { nearest } from "../../nearest.js";
import type { MessageOptions, QueuedMessageOptions, QueueOptions, SendOptions } from "./options.js";
import type { Report } from "./report.js";
import { isRecord } from "./schema-walk.js";

/** What a message is checked for: each has options that the other has not. */
export type Purpose = "send" | "queue";

/** Options as JavaScript may pass them: the names are known, nothing else is. */
export type Given = { readonly [Name in OptionName]?: unknown };

type OptionName = AllKeys<SendOptions | QueueOptions | MessageOptions | QueuedMessageOptions>;
type AllKeys<Options> = Options extends unknown ? keyof Options : never;

const COMMON = [
  ..."to cc bcc replyTo from attachments subject".split(" "),
  ..."priority expiresAt expiresAfter onUnknown key".split(" "),
];
const OF_PURPOSE = { send: ["signal", "timeoutMs", "maxWait"], queue: ["sendAt"] };
const OF_KIND = { template: ["render"], plain: ["text", "html"] };

/** Why an option that exists elsewhere is none here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  sendAt: "is for what is queued: mailer.queue",
  signal: "is for a direct send; what is queued waits for its turn, and can be discarded",
  timeoutMs: "is for a direct send; the worker has its mailer's",
  maxWait: "is for a direct send; for what is queued there is expiresAfter",
  render: "is for messages made from a template",
  text: "is for messages without a template: mailer.sendMessage",
  html: "is for messages without a template: mailer.sendMessage",
  template: "is the first argument of mailer.send",
  variables: "are the second argument of mailer.send",
};

/**
 * The options that are there. Reports names that there are none of, with the one that was meant, and null, which
 * TypeScript would not let pass.
 */
export function readOptions(
  options: unknown,
  { kind, purpose }: { readonly kind: "template" | "plain"; readonly purpose: Purpose },
  report: Report,
): Given {
  const path = kind === "template" ? "options" : "message";
  if (!isRecord(options)) {
    report(path, "is not an object: pass at least { to }");
    return {};
  }
  const known = [...COMMON, ...OF_PURPOSE[purpose], ...OF_KIND[kind]];
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (!known.includes(name)) report(name, unknownOption(name, known));
    // Of what is needed it is said below that it is missing.
    else if (value === null && name !== "to" && name !== "subject") report(name, "is null: leave it out");
    // A hole in a list is undefined, and told of.
    else if (value !== null) given[name] = Array.isArray(value) ? Array.from<unknown>(value) : value;
  }
  return given;
}

function unknownOption(name: string, known: readonly string[]): string {
  const elsewhere = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined;
  if (elsewhere !== undefined) return elsewhere;
  const near = nearest(name.replaceAll(/[_-]/g, ""), known);
  return near === undefined ? "is no option" : `is no option; did you mean ${near}?`;
}
