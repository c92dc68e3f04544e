import { sampleVariables } from "../mustache/sample.js";
import type { Content } from "./content.js";

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

/** The prefix and suffix that an environment adds to template names. */
interface Affixes {
  readonly namePrefix?: string;
  readonly nameSuffix?: string;
}

/**
 * The project's name for a template on the service. Undefined if the template does not belong to this environment: its
 * name lacks the affixes, or fits those of another environment on the same domain better.
 *
 * @example
 * localName("staging-receipt", { namePrefix: "staging-" }, []); // "receipt"
 * localName("staging-receipt", {}, [{ namePrefix: "staging-" }]); // undefined
 */
export function localName(remote: string, affixes: Affixes, others: readonly Affixes[]): string | undefined {
  const name = withoutAffixes(remote, affixes);
  if (name === undefined) return undefined;
  const isOthers = others.some((other) => (withoutAffixes(remote, other)?.length ?? Infinity) < name.length);
  return isOthers ? undefined : name;
}

function withoutAffixes(remote: string, { namePrefix = "", nameSuffix = "" }: Affixes): string | undefined {
  if (remote.length <= namePrefix.length + nameSuffix.length) return undefined;
  if (!remote.startsWith(namePrefix) || !remote.endsWith(nameSuffix)) return undefined;
  return remote.slice(namePrefix.length, remote.length - nameSuffix.length);
}
