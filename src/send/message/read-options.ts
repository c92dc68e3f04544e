import { nearest } from "../../text/nearest.js";
import type { MessageOptions, QueuedMessageOptions, QueueOptions, SendOptions } from "./options.js";
import type { Report } from "./report.js";
import { isRecord } from "./schema-walk.js";

/** What a message is checked for: the two have different options. */
export type Purpose = "send" | "queue";

/** Options as JavaScript may pass them: only the names are verified. */
export type Given = { readonly [Name in OptionName]?: unknown };

type OptionName = AllKeys<SendOptions | QueueOptions | MessageOptions | QueuedMessageOptions>;
type AllKeys<Options> = Options extends unknown ? keyof Options : never;

const COMMON = [
  ..."to cc bcc replyTo from attachments subject".split(" "),
  ..."priority expiresAt expiresAfter onUnknown key".split(" "),
];
const OF_PURPOSE = { send: ["signal", "timeoutMs", "maxWait"], queue: ["sendAt"] };
const OF_KIND = { template: ["render"], plain: ["text", "html"] };

/** Why an option that exists elsewhere is not available here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  sendAt: "is for queued messages: mailer.queue",
  signal: "is for a direct send; a queued message waits for its turn and can be discarded",
  timeoutMs: "is for a direct send; the worker uses its mailer's setting",
  maxWait: "is for a direct send; use expiresAfter for queued messages",
  render: "is for messages made from a template",
  text: "is for messages without a template: mailer.sendMessage",
  html: "is for messages without a template: mailer.sendMessage",
  template: "is the first argument of mailer.send",
  variables: "are the second argument of mailer.send",
};

/**
 * Reads the options that are set. Reports unknown names, with a suggestion, and nulls, which TypeScript would not
 * accept.
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
  const names = [...COMMON, ...OF_PURPOSE[purpose], ...OF_KIND[kind]];
  const passed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (!names.includes(name)) report(name, unknownOption(name, names));
    // Required options are reported as missing elsewhere.
    else if (value === null && name !== "to" && name !== "subject") report(name, "is null: leave it out");
    // A hole in a list becomes undefined, which is reported.
    else if (value !== null) passed[name] = Array.isArray(value) ? Array.from<unknown>(value) : value;
  }
  return passed;
}

function unknownOption(name: string, names: readonly string[]): string {
  const elsewhere = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined;
  if (elsewhere !== undefined) return elsewhere;
  const near = nearest(name.replaceAll(/[_-]/g, ""), names);
  return near === undefined ? "is not an option" : `is not an option. Did you mean ${near}?`;
}
