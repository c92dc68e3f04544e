import type { OutboundEmail } from "../../api/contract/v4/emails.js";
import { renderMustache } from "../../mustache/fill.js";
import { FillLimitError } from "../../mustache/meter.js";
import type { Variables } from "../../mustache/variables.js";
import { checkMustache, checkStorable } from "../templates/template-check.js";
import { isText } from "../text.js";
import type { Problems } from "../http/validate.js";
import type { OutboundMessage, SendingDomain } from "./message.js";

/** UTF-16 units, as given and when it is filled: what one line of a header holds. */
const SUBJECT_MAX = 998;
/** The same for a body: twenty times the greatest template. */
const BODY_MAX = 2_000_000;
/** For each of the three: a fraction of a second, in which nobody else is answered. */
const STEPS_MAX = 500_000;

type Content = Pick<OutboundMessage, "subject" | "text" | "html">;

/** The filled subject and bodies; undefined where the request names a template that is not there. */
export function readContent(
  request: Partial<OutboundEmail>,
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

/** Fills the texts of one mail. What the variables make of one that cannot be sent is a problem of theirs. */
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
    // One that is refused has taken long enough.
    if (this.#problems.has("variables")) return "";
    const escape = escaped ? "html" : "none";
    const limits = { steps: STEPS_MAX, length };
    try {
      const filled = renderMustache(source, this.#variables, { ...this.#domain.dialect, escape, limits });
      if (!isText(filled)) this.#add(`variables bring characters that are not text into ${field}`);
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

/** What is empty when it is filled counts as missing, as what is empty from the beginning does. */
function present(
  { subject, text, html }: { subject: string; text: string | undefined; html: string | undefined },
  problems: Problems,
): Content {
  if (!subject) problems.add("subject", "subject is empty when it is filled");
  if (!text && !html) problems.add("text", "the template's bodies are empty when they are filled");
  return { subject, ...(text && { text }), ...(html && { html }) };
}

/** A header has one line: a value with line breaks in it must not start another header. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ").trim();
}
