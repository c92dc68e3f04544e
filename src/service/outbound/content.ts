import type { OutboundEmailBody } from "../../api/contract/v4/emails.js";
import { renderMustache } from "../../mustache/fill.js";
import { FillLimitError } from "../../mustache/meter.js";
import type { Variables } from "../../mustache/variables.js";
import { checkMustache, checkStorable } from "../templates.js";
import { isText, type Problems } from "../http/validate.js";
import type { OutboundMessage, SendingDomain } from "./message.js";

/** Maximum length in UTF-16 units, before and after filling: the length of a header line. */
const SUBJECT_MAX = 998;
/** The same for a body: twenty times the largest template. */
const BODY_MAX = 2_000_000;
/**
 * Maximum number of steps for each of the three. They take a fraction of a second, during which no other request is
 * answered.
 */
const STEPS_MAX = 500_000;

type Content = Pick<OutboundMessage, "subject" | "text" | "html">;

/** The filled subject and bodies. Undefined if the request names a template that does not exist. */
export function readContent(
  request: Partial<OutboundEmailBody>,
  domain: SendingDomain,
  problems: Problems,
): Content | undefined {
  const template = request.template ? domain.findTemplate(request.template) : undefined;
  if (request.template && !template) return undefined;

  const subject = request.subject || template?.subject;
  const text = template ? template.text_body : request.text;
  const html = template ? template.html_body : request.html;
  if (!subject) problems.add("subject", "subject is required");
  else checkSubject(subject, problems);
  if (!text && !html) problems.add("text", template ? "the template has no body" : "text or html is required");
  if (text) checkGiven("text", text, BODY_MAX, problems);
  if (html) checkGiven("html", html, BODY_MAX, problems);
  if (problems.found) return undefined;

  // Without a template the variables are not used, and only the subject is Mustache.
  const filling = new Filling((template && request.variables) ?? {}, domain, problems);
  const { escapeSubject, escapeText } = domain.dialect;
  const filled = {
    subject: oneLine(filling.fill("subject", subject ?? "", escapeSubject, SUBJECT_MAX)),
    text: template && text ? filling.fill("text_body", text, escapeText, BODY_MAX) : text,
    html: template && html ? filling.fill("html_body", html, true, BODY_MAX) : html,
  };
  if (problems.found) return undefined;
  return present(filled, problems);
}

function checkSubject(subject: string, problems: Problems): void {
  checkGiven("subject", subject, SUBJECT_MAX, problems);
  if (!problems.has("subject")) checkMustache("subject", subject, problems);
}

function checkGiven(field: string, text: string, max: number, problems: Problems): void {
  if (text.length > max) problems.add(field, `${field} may have at most ${max} characters`);
  else checkStorable(field, text, problems);
}

/** Fills the subject and bodies of one email. If the result cannot be sent, the variables are to blame. */
class Filling {
  readonly #variables;
  readonly #domain;
  readonly #problems;

  constructor(variables: Variables, domain: SendingDomain, problems: Problems) {
    this.#variables = variables;
    this.#domain = domain;
    this.#problems = problems;
  }

  fill(field: string, source: string, escaped: boolean, length: number): string {
    // A rejected template has taken enough time.
    if (this.#problems.has("variables")) return "";
    const escape = escaped ? "html" : "none";
    const limits = { steps: STEPS_MAX, length };
    try {
      const filled = renderMustache(source, this.#variables, { ...this.#domain.dialect, escape, limits });
      if (!isText(filled)) this.#add(`variables insert invalid characters into ${field}`);
      return filled;
    } catch (error) {
      if (!(error instanceof FillLimitError)) throw error;
      const { limit, max } = error;
      this.#add(
        limit === "length"
          ? `variables make ${field} longer than ${max} characters`
          : `variables make ${field} take more than ${max} steps to fill: pass shorter lists, or nest fewer sections`,
      );
      return "";
    }
  }

  #add(message: string): void {
    this.#problems.add("variables", message);
  }
}

/** Values that are empty after filling count as missing, like values that were empty before. */
function present(
  { subject, text, html }: { subject: string; text: string | undefined; html: string | undefined },
  problems: Problems,
): Content {
  if (!subject) problems.add("subject", "subject is empty after filling");
  if (!text && !html) problems.add("text", "the template's bodies are empty after filling");
  return { subject, ...(text && { text }), ...(html && { html }) };
}

/** A header has one line: a value with line breaks must not start another header. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ").trim();
}
