import { nearest } from "../../nearest.js";
import type { DeriveContext, RegistryEntry } from "../../template/registry.js";
import type { Clock } from "../clock.js";
import type { Parcel } from "../delivery/parcel.js";
import { InvalidMessageError, InvalidVariablesError } from "../errors.js";
import type { Publish } from "../events/events.js";
import { readEnvelope, type Sender } from "./envelope.js";
import { fillBodies, loadBodies } from "./fill-message.js";
import { checkDelivery, type CheckedHandling, readHandling } from "./handling.js";
import type { Rendering } from "./options.js";
import { readPlainContent } from "./plain-content.js";
import { type Purpose, readOptions } from "./read-options.js";
import { collectProblems, type Report } from "./report.js";
import { checkShownFiles } from "./shown-files.js";
import { readSubject } from "./subject.js";
import { readVariables } from "./variables.js";

/** What all messages of a mailer share. */
export interface Preparation {
  readonly templates: ReadonlyMap<string, RegistryEntry>;
  readonly sender: Sender;
  readonly context: DeriveContext;
  readonly clock: Pick<Clock, "time" | "after">;
  readonly publish: Publish;
  /** Milliseconds for reading a message's attachments. */
  readonly timeoutMs: number;
  /** For messages that don't set their own. Default `template`. */
  readonly render?: Rendering | undefined;
  /** The base URL of the images in `_assets`, for bodies that are filled here. */
  readonly assets?: string | undefined;
  /** A template's name on the service. */
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
  preparation: Preparation,
): Promise<CheckedMessage> {
  const { sender, context, clock, publish, timeoutMs, assets } = preparation;
  const { problems, report } = collectProblems();
  const wrongVariables = collectProblems();
  const entry = findEntry(template, preparation.templates, report);
  const checked = readOptions(options, { kind: "template", purpose }, report);
  const read = entry && readVariables({ template, entry, variables: input, context }, wrongVariables.report);
  const variables = read?.complete;
  const isLocal = readRendering(checked.render ?? preparation.render, entry, report) === "local";
  const subject = entry && readSubject({ own: checked.subject, entry, variables, isLocal }, report);
  const handling = readHandling(checked, entry?.delivery, clock.time(), report);
  checkDelivery(checked, report);
  const email = await readEnvelope(checked, { sender, report, publish, clock, timeoutMs });
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

function ownSubject(subject: unknown): { readonly subject?: string } {
  return typeof subject === "string" ? { subject } : {};
}

function findEntry(
  template: string,
  templates: ReadonlyMap<string, RegistryEntry>,
  report: Report,
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

function readRendering(value: unknown, entry: RegistryEntry | undefined, report: Report): Rendering {
  if (value === undefined || value === "template") return "template";
  if (value !== "local") report("render", 'is neither "template" nor "local"');
  else if (entry !== undefined && entry.bodies === undefined)
    report("render", 'is "local", but the registry has no bodies. Run: templates types --bodies');
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
  { sender, clock, publish, timeoutMs }: Preparation,
): Promise<CheckedMessage> {
  const { problems, report } = collectProblems();
  const checked = readOptions(options, { kind: "plain", purpose }, report);
  const content = readPlainContent(checked, report);
  const handling = readHandling(checked, undefined, clock.time(), report);
  checkDelivery(checked, report);
  const email = await readEnvelope(checked, { sender, report, publish, clock, timeoutMs });
  await checkShownFiles(content.html ?? "", checked.attachments, report);
  if (problems.length > 0) throw new InvalidMessageError(problems);
  return { email: { ...email, ...content }, ...handling };
}
