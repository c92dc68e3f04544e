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
  const variables = (template && request.variables) ?? {};
  const { dialect } = domain;
  const fillField = (field: string, source: string, isEscaped: boolean, length: number) => {
    // A rejected template has taken enough time.
    if (problems.has("variables")) return "";
    const limits = { steps: STEPS_MAX, length };
    return fill(field, source, variables, { ...dialect, escape: isEscaped ? "html" : "none", limits }, problems);
  };
  const filled = {
    subject: oneLine(fillField("subject", subject ?? "", dialect.escapeSubject, SUBJECT_MAX)),
    text: template && text ? fillField("text_body", text, dialect.escapeText, BODY_MAX) : text,
    html: template && html ? fillField("html_body", html, true, BODY_MAX) : html,
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

/** Fills one of an email's texts. If the result cannot be sent, the variables are to blame. */
function fill(
  field: string,
  source: string,
  variables: Variables,
  options: Parameters<typeof renderMustache>[2],
  problems: Problems,
): string {
  try {
    const filled = renderMustache(source, variables, options);
    if (!isText(filled)) problems.add("variables", `variables insert invalid characters into ${field}`);
    return filled;
  } catch (error) {
    if (!(error instanceof FillLimitError)) throw error;
    const { limit, max } = error;
    problems.add(
      "variables",
      limit === "length"
        ? `variables make ${field} longer than ${max} characters`
        : `variables make ${field} take more than ${max} steps to fill: pass shorter lists, or nest fewer sections`,
    );
    return "";
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
