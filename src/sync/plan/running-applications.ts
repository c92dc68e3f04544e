import { type Content, contentHash, type LocalTemplate } from "../content.js";
import type { RemoteSummary } from "../remote.js";
import type { PlanInput, Reused } from "./plan.js";
import { contractChanges } from "../../mustache/contract-changes.js";
import type { VariablesContract } from "../../mustache/variables.js";

/**
 * Whether a name that applications send would get another template's content because of `renamedFrom`: two names are
 * exchanged, there is a chain such as a → b → c, or a new template takes a name that another one gave up. Once that is
 * deployed, the service has the new content under the name, so a later edit is no longer a reuse.
 *
 * @example
 * // On the service: receipt, invoice. Locally, each has renamedFrom with the name of the other.
 * reusedBy(receipt, "receipt", input); // { contentOf: "invoice", nowNamed: "invoice" }
 *
 * @param name The name that the template overwrites on the service: its own, or its former one if it is renamed in
 * place.
 */
export function reusedBy(
  template: LocalTemplate,
  name: string,
  input: Pick<PlanInput, "local" | "present" | "remote">,
): Reused | undefined {
  const { local, remote } = input;
  const heir = heirOf(template.name, local);
  const nowNamed = heir === undefined ? {} : { nowNamed: heir.name };
  if (name !== template.name) return remote.summaries.has(template.name) ? { contentOf: name, ...nowNamed } : undefined;
  const deployed = remote.templates.get(name)?.content;
  if (deployed === undefined) return undefined;
  if (heir !== undefined) {
    const former = template.renamedFrom === undefined ? {} : { contentOf: template.renamedFrom };
    return isCloser(deployed, heir.content, template.content) ? { ...former, ...nowNamed } : undefined;
  }
  const former = formerInUse(template, input, remote.summaries);
  const content = former === undefined ? undefined : remote.templates.get(former)?.content;
  if (former === undefined || content === undefined) return undefined;
  return isCloser(template.content, content, deployed) ? { contentOf: former } : undefined;
}

/**
 * The former name of a template, if both it and the template's own name are in use, and the local metadata doesn't say
 * what happens to the content under its own name: only the bodies tell. If only some templates are selected, the others
 * count as in use.
 */
export function formerInUse(
  { name, renamedFrom }: LocalTemplate,
  { local, present }: Pick<PlanInput, "local" | "present">,
  summaries: ReadonlyMap<string, RemoteSummary>,
): string | undefined {
  if (renamedFrom === undefined || renamedFrom === name || heirOf(name, local) !== undefined) return undefined;
  return summaries.has(name) && summaries.has(renamedFrom) && present.has(renamedFrom) ? renamedFrom : undefined;
}

/** The local template that previously had this name. */
function heirOf(name: string, local: readonly LocalTemplate[]): LocalTemplate | undefined {
  return local.find((other) => other.renamedFrom === name && other.name !== name);
}

/** Whether a content has more words in common with `one` than with `other`. */
function isCloser(content: Content, one: Content, other: Content): boolean {
  const hash = contentHash(content);
  if (hash === contentHash(other)) return false;
  if (hash === contentHash(one)) return true;
  const words = wordCounts(content);
  return commonShare(words, wordCounts(one)) > commonShare(words, wordCounts(other));
}

function wordCounts({ subject, text_body, html_body }: Content): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of `${subject} ${text_body} ${html_body}`.matchAll(/[\p{L}\p{N}_]+/gu))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function commonShare(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  const size = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);
  const common = [...one].reduce((sum, [word, count]) => sum + Math.min(count, other.get(word) ?? 0), 0);
  const all = size(one) + size(other);
  return all === 0 ? 1 : (2 * common) / all;
}

/** A variable that a new version of a template reads and that running applications don't pass. */
export interface Breaking {
  /** As in the tags, with the sections around it: `order.items[].price`. */
  readonly variable: string;
  /** What would happen, in a few words: "would be blank", "was a string or number, is used as a list". */
  readonly effect: string;
}

/** A version of a template, with the parts that matter to applications. */
interface Version {
  /** The variables that fill it. If absent, applications are assumed to pass what it reads. */
  readonly contract?: VariablesContract;
  readonly content: Pick<Content, "subject" | "html_body" | "text_body">;
}

/**
 * What a new version of a template would leave blank or show differently, for applications that pass the deployed
 * version's variables. A template that reads less, or the same in a different way, breaks nothing.
 *
 * @example
 * breakingChanges({ before: { content: stored }, after: { contract: local.contract, content: local.content } });
 * // [{ variable: "order.items[].price", effect: "would be blank" }]
 *
 * @returns Each variable once, sorted; empty if nothing breaks.
 */
export function breakingChanges({ before, after }: { readonly before: Version; readonly after: Version }): Breaking[] {
  return contractChanges(readOf(before), readOf(after));
}

function readOf({ contract, content: { subject, html_body, text_body } }: Version): {
  texts: string[];
  contract?: VariablesContract;
} {
  return { texts: [subject, text_body, html_body], ...(contract && { contract }) };
}
