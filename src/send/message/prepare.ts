import type { OutboundEmail } from "../../api/contract/v4/emails.js";
import { MustacheSyntaxError, renderMustache } from "../../mustache/fill.js";
import type { Variables } from "../../mustache/variables.js";
import { nearest } from "../../nearest.js";
import type { DeriveContext, RegistryEntry } from "../../template/registry.js";
import { InvalidMessageError, InvalidVariablesError } from "../errors.js";
import { checkSubject, type MessageOptions, readEnvelope, type Sender, type SendOptions } from "./envelope.js";
import { collectProblems, type Report } from "./report.js";
import { readVariables } from "./variables.js";

/** What is the same for all messages of a mailer. */
export interface Preparation {
  readonly templates: ReadonlyMap<string, RegistryEntry>;
  readonly sender: Sender;
  readonly context: DeriveContext;
  /** A template's name on the service. */
  remoteName(name: string): string;
}

/** A message made from a template, as the service takes it. */
export interface TemplateEmail extends OutboundEmail {
  readonly template: string;
  readonly variables: Variables;
}

/**
 * Checks a message made from a template, all of it, and writes it as the service takes it (part 4).
 *
 * @throws {InvalidMessageError} With every problem, those of the variables included.
 * @throws {InvalidVariablesError} Only the variables have problems.
 */
export async function prepareTemplateEmail(
  template: string,
  input: unknown,
  options: SendOptions,
  preparation: Preparation,
): Promise<TemplateEmail> {
  const { problems, report } = collectProblems();
  const wrongVariables = collectProblems();
  const entry = findEntry(template, preparation.templates, report);
  const variables =
    entry && readVariables({ template, entry, variables: input, context: preparation.context }, wrongVariables.report);
  if (options.subject !== undefined) checkFilledSubject(options.subject, variables, report);
  else if (entry?.subject === false) report("subject", "is missing: the template has none");
  const email = await readEnvelope(options, preparation.sender, report);

  if (problems.length > 0) throw new InvalidMessageError([...problems, ...wrongVariables.problems]);
  if (variables === undefined) throw new InvalidVariablesError(template, wrongVariables.problems);
  return {
    ...email,
    template: preparation.remoteName(template),
    variables,
    ...(options.subject === undefined ? {} : { subject: options.subject }),
  };
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

/** A subject that the service fills is checked as it is, and as it will be. */
function checkFilledSubject(subject: string, variables: Variables | undefined, report: Report): void {
  const own = collectProblems();
  checkSubject(subject, own.report);
  if (own.problems.length === 0 && variables !== undefined) {
    try {
      checkSubject(renderMustache(subject, variables, { escape: "none" }), (path, message) =>
        own.report(path, `filled with the variables, ${message}`),
      );
    } catch (error) {
      if (!(error instanceof MustacheSyntaxError)) throw error;
      own.report("subject", "is malformed Mustache");
    }
  }
  for (const { path, message } of own.problems) report(path, message);
}

/**
 * Checks a message that has no template.
 *
 * @throws {InvalidMessageError} With every problem.
 */
export async function preparePlainEmail(message: MessageOptions, preparation: Preparation): Promise<OutboundEmail> {
  const { problems, report } = collectProblems();
  const { subject, text, html } = message;
  checkSubject(subject, report);
  if (typeof subject === "string" && subject.includes("{{"))
    report("subject", "has {{ in it, which the service would fill; without a template there are no variables");
  if (!text && !html) report("text", "is missing: a message without a template has a text, an html or both");
  const email = await readEnvelope(message, preparation.sender, report);
  if (problems.length > 0) throw new InvalidMessageError(problems);
  return { ...email, subject, ...(text ? { text } : {}), ...(html ? { html } : {}) };
}
