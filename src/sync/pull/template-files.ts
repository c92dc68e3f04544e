import { sampleVariables } from "../../mustache/sample.js";
import type { Content } from "../content.js";

/**
 * The files of a template with exactly the service's content, by their path in its folder. They are marked verbatim, so
 * that compiling leaves every character unchanged.
 *
 * @example
 * templateFiles(remote.content, "receipt").keys(); // receipt.html, receipt.txt, template.json, fixtures/default.json
 *
 * @param stem The name of its folder and files, without extensions.
 */
export function templateFiles(content: Content, stem: string): ReadonlyMap<string, string> {
  const { description, subject, html_body, text_body } = content;
  const metadata = { subject, ...(description !== "" && { description }), verbatim: true };
  return new Map([
    [`${stem}.html`, html_body],
    [`${stem}.txt`, text_body],
    ["template.json", json(metadata)],
    ["fixtures/default.json", json(sampleVariables([subject, html_body, text_body]))],
  ]);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
