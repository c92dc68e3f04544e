import { ConfigurationError } from "../errors.js";
import { nearest } from "../nearest.js";
import type { MailerOptions, OutboxOptions, ReconcileOptions } from "./options.js";

type Names<Options> = Readonly<Record<keyof Options, true>>;

const OUTBOX: Names<OutboxOptions> = { keepKeys: true, keepContents: true, keepUndecided: true, lease: true };
const RECONCILE: Names<ReconcileOptions> = { logDelayMs: true, correlation: true };
const MAILER: Names<MailerOptions<object>> = {
  templates: true,
  environment: true,
  url: true,
  domain: true,
  apiKey: true,
  allowInsecure: true,
  from: true,
  render: true,
  store: true,
  maxWait: true,
  timeoutMs: true,
  sendsPerMinute: true,
  reconcile: true,
  suppressHardBounces: true,
  outbox: true,
  locale: true,
  timeZone: true,
  clock: true,
};

/** What others call an option, and where what is none stands instead. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  baseUrl: "did you mean url?",
  env: "did you mean environment?",
  key: "did you mean apiKey?",
  sender: "did you mean from?",
  registry: "did you mean templates?",
  version: "it stands in the environment, in lettershop.config.ts",
  keyVariable: "it stands in the environment, in lettershop.config.ts",
  recipients: "they stand in the environment, in lettershop.config.ts",
  to: "it is given with each message",
  replyTo: "it is given with each message",
  priority: "it is given with each message, or stands in its template.json",
  onUnknown: "it is given with each message, or stands in its template.json",
  expiresAfter: "it is given with each message, or stands in its template.json",
};

/**
 * Without TypeScript, a mistyped option would be left out in silence, and mail would go elsewhere or at another pace.
 *
 * @param maker The function that was called.
 * @throws {ConfigurationError} With all names that there are none of.
 */
export function checkOptionNames(maker: string, options: unknown): void {
  if (typeof options !== "object" || options === null)
    throw new ConfigurationError(`${maker} takes an object with options, such as { templates, from }.`);
  const given: { readonly outbox?: unknown; readonly reconcile?: unknown } = options;
  const unknown = [
    ...unknownAmong(options, MAILER),
    ...unknownAmong(given.outbox, OUTBOX, "outbox."),
    ...unknownAmong(given.reconcile, RECONCILE, "reconcile."),
  ];
  if (unknown.length > 0) throw new ConfigurationError(`${maker} has ${unknown.join(", ")}.`);
}

function unknownAmong(options: unknown, known: object, path = ""): string[] {
  if (typeof options !== "object" || options === null) return [];
  return Object.keys(options)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => `no option "${path}${name}"${meaning(name, Object.keys(known), path)}`);
}

function meaning(name: string, known: readonly string[], path: string): string {
  if (path === "" && Object.hasOwn(ELSEWHERE, name)) return ` (${ELSEWHERE[name]})`;
  const near = nearest(name.replaceAll(/[_-]/g, ""), known);
  return near === undefined ? "" : ` (did you mean ${path}${near}?)`;
}
