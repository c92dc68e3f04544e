import { computesValues } from "../../mustache/complete.js";
import { nearest } from "../../text/nearest.js";
import type { DeriveContext, RegistryEntry, TemplateBodies } from "../../project/registry-types.js";
import type { Clock } from "../clock.js";
import { emailOf, type Parcel } from "../parcel.js";
import { InvalidMessageError, InvalidVariablesError, type Problem } from "../errors.js";
import type { Publish } from "../events.js";
import { ConfigurationError } from "../../errors.js";
import {
  checkDelivery,
  type CheckedHandling,
  type Envelope,
  isTimeout,
  readHandling,
  type PassedOptions,
  type Purpose,
  readOptions,
  type Rendering,
} from "./options.js";
import { collectProblems, hasControlCharacters, type ReportProblem } from "../report.js";
import { readVariables } from "./variables.js";
import { SUBJECT_MAX } from "../../api/limits.js";
import { MustacheSyntaxError, renderMustache } from "../../mustache/fill.js";
import { checkVariables } from "../../mustache/check-variables.js";
import type { Variables } from "../../mustache/variables.js";
import {
  type Address,
  mailboxOf,
  readAddress,
  readAddresses,
  readFrom,
  type Recipients,
  withoutEmpty,
} from "./addresses.js";
import type { RecipientsPolicy } from "./recipients.js";

export interface PrepareContext {
  readonly templates: ReadonlyMap<string, RegistryEntry>;
  readonly sender: Sender;
  readonly context: DeriveContext;
  readonly clock: Pick<Clock, "time" | "after">;
  readonly publish: Publish;
  /** Milliseconds for reading a message's attachments. */
  readonly timeoutMs: number;
  /** Whether messages leave by SMTP, so that templates are always filled here. */
  readonly bySmtp?: boolean | undefined;
  /** For messages that don't set their own. Default `template`, by SMTP `local`. */
  readonly render?: Rendering | undefined;
  /** The base URL of the images in `_assets`, for bodies that are filled here. */
  readonly assets?: string | undefined;
  remoteName(name: string): string;
}

/** Everything that a parcel needs except its id, plus what the outbox needs. */
export interface CheckedMessage extends CheckedHandling, Omit<Parcel, "id"> {
  /**
   * The arguments of a templated call, before a deployment could change what is made of them: two calls with the same
   * key must agree in these. Absent if the arguments are the email itself.
   */
  readonly args?: unknown;
}

/**
 * Checks a message made from a template completely, and converts it to the service's format (part 4). Throws only the
 * errors below, whatever it is passed.
 *
 * @param input The variables that the application passed.
 * @throws {InvalidMessageError} Lists every problem, including those of the variables.
 * @throws {InvalidVariablesError} Only the variables have problems.
 * @throws {ConfigurationError} The template's bodies cannot be loaded.
 */
export async function prepareTemplateMessage(
  template: string,
  input: unknown,
  options: unknown,
  purpose: Purpose,
  preparation: PrepareContext,
): Promise<CheckedMessage> {
  const { context, clock, assets } = preparation;
  const { problems, report } = collectProblems();
  const wrongVariables = collectProblems();
  const entry = findEntry(template, preparation.templates, report);
  const checked = readOptions(options, { kind: "template", purpose }, report);
  // Only templates with computed values need it.
  const { computingOf } =
    entry && computesValues(entry.contract) ? await import("../../mustache/expression/computing.js") : {};
  const functions = entry && (entry.functions ?? (await load(entry.loadFunctions, "functions that compute values")));
  const read =
    entry &&
    readVariables({ template, entry, variables: input, context, computingOf, functions }, wrongVariables.report);
  const variables = read?.complete;
  const isLocal = readRendering(checked.render ?? preparation.render, entry, preparation.bySmtp, report) === "local";
  const subject = entry && readSubject({ own: checked.subject, entry, variables, isLocal }, report);
  const handling = readHandling(checked, entry?.delivery, clock.time(), report);
  checkDelivery(checked, report);
  const email = await readEnvelope(checked, preparation, report);
  const bodies =
    entry?.bodies &&
    (await loadBodies(entry).catch((error: unknown) => {
      // Sent by name, the message needs the bodies only for a check.
      if (isLocal) throw error;
    }));
  const filled = bodies && variables && fillBodies(bodies, variables, assets);
  if (filled) await checkShownFiles(filled.html, checked.attachments, report);
  if (filled?.html === "" && filled.text === "") report("html", "is empty after filling, and so is the text body");

  if (problems.length > 0) throw new InvalidMessageError([...problems, ...wrongVariables.problems]);
  if (read === undefined || variables === undefined) throw new InvalidVariablesError(template, wrongVariables.problems);
  const content =
    isLocal && filled && subject !== undefined
      ? { subject, ...(filled.html && { html: filled.html }), ...(filled.text && { text: filled.text }) }
      : { template: preparation.remoteName(template), variables, ...ownSubject(checked.subject) };
  const { from, ...others } = email;
  const args = { from, ...others, template, variables: read.parsed, ...ownSubject(checked.subject) };
  return { email: { from, ...others, ...content }, template, subject, ...handling, args };
}

/** @throws {ConfigurationError} The registry has bodies, but the file with this template's cannot be loaded. */
export function loadBodies({ bodies }: RegistryEntry): Promise<TemplateBodies | undefined> {
  return load(bodies, "compiled bodies");
}

/** Loads a file next to the registry. */
async function load<Part>(loadPart: (() => Promise<Part>) | undefined, what: string): Promise<Part | undefined> {
  try {
    return await loadPart?.();
  } catch (cause) {
    throw new ConfigurationError(`Can't load the ${what} of a template.`, {
      cause,
      hint: "Run `templates types`, and deploy all files that it writes next to the registry.",
    });
  }
}

/** @param assets The base URL of the images in `_assets`. Default: as in the output of `templates build`. */
export function fillBodies({ html, text }: TemplateBodies, variables: Variables, assets = "assets") {
  const base = assets.replace(/\/+$/, "");
  return {
    html: renderMustache(html(base), variables, { escape: "html" }),
    text: renderMustache(text(base), variables, { escape: "none" }),
  };
}

function ownSubject(subject: unknown): { readonly subject?: string } {
  return typeof subject === "string" ? { subject } : {};
}

function findEntry(
  template: string,
  templates: ReadonlyMap<string, RegistryEntry>,
  report: ReportProblem,
): RegistryEntry | undefined {
  const entry = templates.get(template);
  if (entry !== undefined) return entry;
  const near = typeof template === "string" ? nearest(template, templates.keys()) : undefined;
  report(
    "template",
    near === undefined
      ? "is not in the registry. Run: templates types"
      : `is not in the registry. Did you mean "${near}"?`,
  );
  return undefined;
}

function readRendering(
  value: unknown,
  entry: RegistryEntry | undefined,
  bySmtp: boolean | undefined,
  report: ReportProblem,
): Rendering {
  if (bySmtp !== true && (value === undefined || value === "template")) return "template";
  const hasBodies = entry === undefined || entry.bodies !== undefined;
  if (value !== undefined && value !== "local" && value !== "template")
    report("render", 'is neither "template" nor "local"');
  else if (value === "template")
    report("render", 'is "template", but no service fills templates that are sent by SMTP');
  else if (!hasBodies && bySmtp === true)
    report("template", "can't be sent by SMTP, because the registry has no bodies. Run: templates types --bodies");
  else if (!hasBodies) report("render", 'is "local", but the registry has no bodies. Run: templates types --bodies');
  return "local";
}

/**
 * Checks a message that has no template. Throws only the error below, whatever it is passed.
 *
 * @throws {InvalidMessageError} Lists every problem.
 */
export async function preparePlainMessage(
  options: unknown,
  purpose: Purpose,
  preparation: PrepareContext,
): Promise<CheckedMessage> {
  const { problems, report } = collectProblems();
  const checked = readOptions(options, { kind: "plain", purpose }, report);
  const content = readPlainContent(checked, report);
  const handling = readHandling(checked, undefined, preparation.clock.time(), report);
  checkDelivery(checked, report);
  const email = await readEnvelope(checked, preparation, report);
  await checkShownFiles(content.html ?? "", checked.attachments, report);
  if (problems.length > 0) throw new InvalidMessageError(problems);
  return { email: { ...email, ...content }, ...handling };
}

/**
 * Reports a `cid:` in the HTML that no attachment has, and an attachment with a content id that the HTML does not use.
 *
 * @param attachments As the application passed them, valid or not.
 */
async function checkShownFiles(html: string, attachments: unknown, report: ReportProblem): Promise<void> {
  const ids = Array.isArray(attachments) ? attachments.map(contentIdOf) : [];
  if (ids.length === 0 && !/cid|&#/i.test(html)) return;
  const { checkContentIds } = await import("../attachments/content-ids.js");
  checkContentIds(html, ids, report);
}

function contentIdOf(attachment: unknown): { readonly content_id?: string } {
  const isObject = typeof attachment === "object" && attachment !== null;
  const id: unknown = isObject && "contentId" in attachment ? attachment.contentId : undefined;
  return typeof id === "string" ? { content_id: id } : {};
}

/**
 * Checks the content of a message without a template. The service treats only its subject as Mustache (part 4): `{{` in
 * the bodies arrives unchanged.
 */
function readPlainContent(options: PassedOptions, report: ReportProblem) {
  const subject = checkSubject(options.subject, report) ? options.subject : "";
  checkNothingToFill(subject, report);
  const text = readBody("text", options.text, report);
  const html = readBody("html", options.html, report);
  if (!options.text && !options.html)
    report("text", "is missing: a message without a template needs text, html or both");
  return { subject, ...(text ? { text } : {}), ...(html ? { html } : {}) };
}

function readBody(path: "text" | "html", value: unknown, report: ReportProblem): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string") report(path, "is not a string");
  else if (/[\0\p{Cs}]/u.test(value))
    report(path, "contains an invalid character: U+0000, or half of a surrogate pair");
  else return value;
  return undefined;
}

/**
 * Reports a subject that is not a valid header line, or longer than the service stores for a template. Counts UTF-16
 * units, of which there are never fewer than code points: a subject that passes here is short enough either way.
 */
function checkSubject(subject: unknown, report: ReportProblem): subject is string {
  const { problems, report: note } = collectProblems();
  if (subject === undefined) note("subject", "is missing");
  else if (typeof subject !== "string") note("subject", "is not a string");
  else if (subject.trim() === "") note("subject", "is empty");
  else if (!hasControlCharacters(subject, "subject", note) && subject.length > SUBJECT_MAX)
    note("subject", `has ${subject.length} characters; the limit is ${SUBJECT_MAX}`);
  for (const { path, message } of problems) report(path, message);
  return problems.length === 0;
}

/** Reports a subject that the service would fill: it treats every subject as Mustache (part 4). */
function checkNothingToFill(subject: string, report: ReportProblem): void {
  if (subject.includes("{{")) report("subject", "contains {{, which the service would fill");
}

interface TemplateSubject {
  /** The message's own subject, which replaces the template's. */
  readonly own: unknown;
  readonly entry: Pick<RegistryEntry, "subject" | "contract">;
  /** Undefined if the variables are invalid. */
  readonly variables: Variables | undefined;
  /** Whether it is filled here instead of by the service. */
  readonly isLocal: boolean;
}

/** The subject as the recipient gets it. Undefined if it cannot be sent, or the variables are invalid. */
function readSubject({ own, entry, variables, isLocal }: TemplateSubject, report: ReportProblem): string | undefined {
  if (own === undefined && entry.subject === "") report("subject", "is missing: the template has no subject");
  else if (own === undefined || (checkSubject(own, report) && hasKnownTags(own, entry, report))) {
    const filled = variables && fillSubject(own ?? entry.subject, variables, report);
    const filledName = own === undefined ? "the template's subject" : "it";
    const reportFilled: ReportProblem = (path, message) => report(path, `after filling, ${filledName} ${message}`);
    if (filled === undefined || !checkSubject(filled, reportFilled)) return undefined;
    if (isLocal) checkNothingToFill(filled, reportFilled);
    return filled;
  }
  return undefined;
}

/** Reports tags that would print nothing. They are not quoted, because they may come from user input. */
function hasKnownTags(subject: string, { contract }: Pick<RegistryEntry, "contract">, report: ReportProblem): boolean {
  const findings = subject.includes("{{") ? checkVariables([subject], contract) : [];
  for (const { offset, nearName } of findings) {
    const question = nearName === undefined ? "" : `; did you mean "${nearName}"?`;
    report("subject", `has a tag at column ${offset + 1} that is not a variable of the template${question}`);
  }
  return findings.length === 0;
}

function fillSubject(subject: string, variables: Variables, report: ReportProblem): string | undefined {
  try {
    return renderMustache(subject, variables, { escape: "none" });
  } catch (error) {
    if (!(error instanceof MustacheSyntaxError)) throw error;
    report("subject", "is not valid Mustache");
    return undefined;
  }
}

/** A recipient's address and the option it came from. */
interface CheckedRecipient {
  /** Such as `to[1]`. */
  readonly path: string;
  readonly email: string;
}

interface Sender {
  readonly domain: string;
  readonly from?: string | undefined;
  /** Set if the environment restricts recipients. */
  readonly recipients?: RecipientsPolicy | undefined;
  /** Checks all recipients of a message at once, for suppressed addresses. */
  readonly check?: ((recipients: readonly CheckedRecipient[]) => Promise<readonly Problem[]>) | undefined;
}

/** The fields that messages have with and without a template. */
async function readEnvelope(
  options: PassedOptions,
  { sender, publish, clock, timeoutMs }: PrepareContext,
  report: ReportProblem,
): Promise<Parcel["email"]> {
  const { signal } = options;
  // Each part's own check verifies its type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { to, cc, bcc, replyTo, from = sender.from, attachments } = options as Partial<Envelope>;
  if (to === undefined || (Array.isArray(to) && to.length === 0))
    report("to", "is missing: a message has at least one recipient");
  const localPart = readFrom(from, sender.domain, report);
  const replyAddress = replyTo === undefined ? undefined : readAddress(replyTo, "replyTo", report);

  const recipients: CheckedRecipient[] = [];
  const read = (value: Address | readonly Address[] | undefined, field: string): string[] =>
    value === undefined
      ? []
      : readAddresses(value, field, report, (address, path) => {
          sender.recipients?.check(address, path, report);
          recipients.push({ path, email: emailOf(address) });
        });
  const fields = withoutDuplicates({ to: read(to, "to"), cc: read(cc, "cc"), bcc: read(bcc, "bcc") });
  if (sender.check !== undefined && recipients.length > 0)
    for (const { path, message } of await sender.check(recipients)) report(path, message);

  const files = async (): Promise<NonNullable<Parcel["email"]["attachments"]>> => {
    const { readAttachments } = await import("../attachments/attachments.js");
    return readAttachments(attachments, {
      report,
      publish,
      clock,
      timeoutMs: isTimeout(options.timeoutMs) ? options.timeoutMs : timeoutMs,
      signal: signal instanceof AbortSignal ? signal : undefined,
    });
  };
  return {
    from: localPart ?? "",
    ...(sender.recipients === undefined ? fields : sender.recipients.redirect(fields)),
    ...(replyAddress === undefined ? {} : { reply_to: replyAddress }),
    ...(attachments !== undefined && { attachments: await files() }),
  };
}

/**
 * A recipient named twice gets one email: each address stays in the first field that has it, so that `to` and `cc` go
 * before `bcc`.
 */
function withoutDuplicates(fields: Required<Recipients>): Recipients {
  const seen = new Set<string>();
  const first = (addresses: readonly string[]): string[] =>
    addresses.filter((address) => {
      const mailbox = mailboxOf(emailOf(address));
      return !seen.has(mailbox) && seen.add(mailbox);
    });
  return withoutEmpty({ to: first(fields.to), cc: first(fields.cc), bcc: first(fields.bcc) });
}
