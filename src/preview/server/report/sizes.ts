import { BODY_MAX, DESCRIPTION_MAX, NAME_MAX, SUBJECT_MAX } from "../../../api/limits.js";
import { GMAIL_SHOWS } from "../../../check/rules/limits/gmail-clipping.js";
import { renderMustache } from "../../../mustache/fill.js";
import type { CompiledTemplate } from "../../../template/template.js";
import type { SizeReport } from "../../contract.js";

const REFUSED = "The service rejects templates above this limit.";
const CLIPPED = "Gmail clips longer messages and hides the rest behind a link.";

/**
 * The sizes of a compiled template compared with the service's limits, and of its filled HTML compared with Gmail's.
 */
export function sizesOf(compiled: CompiledTemplate): readonly SizeReport[] {
  const { name, description, subject, html_body, text_body } = compiled;
  const field = (title: string, text: string, limit: number): SizeReport => ({
    name: title,
    value: text.length,
    limit,
    unit: "characters",
    consequence: REFUSED,
  });
  return [
    filledHtml(compiled),
    field("HTML body", html_body, BODY_MAX),
    field("Text body", text_body, BODY_MAX),
    field("Subject", subject, SUBJECT_MAX),
    field("Description", description, DESCRIPTION_MAX),
    field("Name", name, NAME_MAX),
  ];
}

function filledHtml({ html_body: html, fixtures }: CompiledTemplate): SizeReport {
  const limit = { limit: GMAIL_SHOWS, unit: "bytes", consequence: CLIPPED } as const;
  const [first, ...others] = fixtures.map(({ name, variables }) => ({
    fixture: name,
    value: Buffer.byteLength(renderMustache(html, variables, { escape: "html" })),
  }));
  if (!first) return { name: "HTML with tags", value: Buffer.byteLength(html), ...limit };
  const largest = others.reduce((a, b) => (b.value > a.value ? b : a), first);
  return { name: "Filled HTML", ...largest, ...limit };
}
