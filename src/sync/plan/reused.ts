import { type Content, contentHash } from "../content.js";
import type { LocalTemplate } from "../local.js";
import type { RemoteSummary } from "../remote.js";
import type { Reused } from "./plan.js";
import type { PlanInput } from "./plan-input.js";

/**
 * Whether a name that applications send comes to mean another template, as `renamedFrom` has it: two names that are
 * exchanged, a chain such as a → b → c, or a new template under a name that another one has given up. Once that is
 * deployed, the service has the new content under the name, so that an edit of it is no reuse any more.
 *
 * @example
 * // On the service: receipt, invoice. Here, each has renamedFrom with the name of the other.
 * reusedBy(receipt, "receipt", input); // { contentOf: "invoice", nowNamed: "invoice" }
 *
 * @param name Of what the template overwrites on the service: its own, or the former one where it is renamed in place.
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
 * The former name of a template, where it and the template's own are both in use, and nothing here says what becomes of
 * the content under its own: only the bodies tell. Where some templates are named, the others count as in use.
 */
export function formerInUse(
  { name, renamedFrom }: LocalTemplate,
  { local, present }: Pick<PlanInput, "local" | "present">,
  summaries: ReadonlyMap<string, RemoteSummary>,
): string | undefined {
  if (renamedFrom === undefined || renamedFrom === name || heirOf(name, local) !== undefined) return undefined;
  return summaries.has(name) && summaries.has(renamedFrom) && present.has(renamedFrom) ? renamedFrom : undefined;
}

/** The template here that has had this name so far. */
function heirOf(name: string, local: readonly LocalTemplate[]): LocalTemplate | undefined {
  return local.find((other) => other.renamedFrom === name && other.name !== name);
}

/** Whether a content has more words in common with one than with the other. */
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
