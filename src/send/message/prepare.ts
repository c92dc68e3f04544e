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

/** What is the same for all messages of a mailer. */
export interface Preparation {
  readonly templates: ReadonlyMap<string, RegistryEntry>;
  readonly sender: Sender;
  readonly context: DeriveContext;
  readonly clock: Pick<Clock, "time" | "after">;
  readonly publish: Publish;
  /** Milliseconds for a message's attachments to be read. */
  readonly timeoutMs: number;
  /** Where messages say nothing else. Default `template`. */
  readonly render?: Rendering | undefined;
  /** The address below which the images of `_assets` are, for bodies that are filled here. */
  readonly assets?: string | undefined;
  /** A template's name on the service. */
  remoteName(name: string): string;
}

/** All that a parcel needs but its id, with what the outbox needs besides. */
export interface CheckedMessage extends CheckedHandling, Omit<Parcel, "id"> {
  /**
   * What was asked for with a template, before anything that a deploy may change was made of it: two calls with the same key
   * have to agree in this. Absent where that is the email itself.
   */
  readonly asked?: unknown;
}

/**
 * Checks a message made from a template, all of it, and writes it as the service takes it (part 4). Whatever it is given,
 * it throws nothing but these.
 *
 * @param input The variables as the application passes them.
 * @throws {InvalidMessageError} With every problem, those of the variables included.
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
  const given = readOptions(options, { kind: "template", purpose }, report);
  const read = entry && readVariables({ template, entry, variables: input, context }, wrongVariables.report);
  const variables = read?.complete;
  const isLocal = readRendering(given.render ?? preparation.render, entry, report) === "local";
  const subject = entry && readSubject({ own: given.subject, entry, variables, isLocal }, report);
  const handling = readHandling(given, entry?.delivery, clock.time(), report);
  checkDelivery(given, report);
  const email = await readEnvelope(given, { sender, report, publish, clock, timeoutMs });
  const bodies =
    entry?.bodies &&
    (await loadBodies(entry).catch((error: unknown) => {
      // By name, nothing but a check needs them.
      if (isLocal) throw error;
    }));
  const filled = bodies && variables && fillBodies(bodies, variables, assets);
  if (filled) await checkShownFiles(filled.html, given.attachments, report);
  if (filled?.html === "" && filled.text === "") report("html", "is empty, as is the text, when they are filled");

  if (problems.length > 0) throw new InvalidMessageError([...problems, ...wrongVariables.problems]);
  if (read === undefined || variables === undefined) throw new InvalidVariablesError(template, wrongVariables.problems);
  const content =
    isLocal && filled && subject !== undefined
      ? { subject, ...(filled.html && { html: filled.html }), ...(filled.text && { text: filled.text }) }
      : { template: preparation.remoteName(template), variables, ...ownSubject(given.subject) };
  const { from, ...others } = email;
  const asked = { from, ...others, template, variables: read.asked, ...ownSubject(given.subject) };
  return { email: { from, ...others, ...content }, template, subject, ...handling, asked };
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
      ? "is not in the registry; is it generated anew? (templates types)"
      : `is not in the registry; did you mean "${near}"?`,
  );
  return undefined;
}

function readRendering(value: unknown, entry: RegistryEntry | undefined, report: Report): Rendering {
  if (value === undefined || value === "template") return "template";
  if (value !== "local") report("render", 'is neither "template" nor "local"');
  else if (entry !== undefined && entry.bodies === undefined)
    report("render", 'is "local", and the registry has no bodies: run `templates types --bodies`');
  return "local";
}

/**
 * Checks a message that has no template. Whatever it is given, it throws nothing but this.
 *
 * @throws {InvalidMessageError} With every problem.
 */
export async function preparePlainMessage(
  options: unknown,
  purpose: Purpose,
  { sender, clock, publish, timeoutMs }: Preparation,
): Promise<CheckedMessage> {
  const { problems, report } = collectProblems();
  const given = readOptions(options, { kind: "plain", purpose }, report);
  const content = readPlainContent(given, report);
  const handling = readHandling(given, undefined, clock.time(), report);
  checkDelivery(given, report);
  const email = await readEnvelope(given, { sender, report, publish, clock, timeoutMs });
  await checkShownFiles(content.html ?? "", given.attachments, report);
  if (problems.length > 0) throw new InvalidMessageError(problems);
  return { email: { ...email, ...content }, ...handling };
}
