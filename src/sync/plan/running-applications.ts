import { type Content, contentHash, type LocalTemplate, mustacheTexts } from "../content.js";
import type { RemoteSummary } from "../remote.js";
import type { PlanInput, Reused } from "./plan.js";

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

function wordCounts(content: Content): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of mustacheTexts(content)
    .join(" ")
    .matchAll(/[\p{L}\p{N}_]+/gu))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function commonShare(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  const size = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);
  const common = [...one].reduce((sum, [word, count]) => sum + Math.min(count, other.get(word) ?? 0), 0);
  const all = size(one) + size(other);
  return all === 0 ? 1 : (2 * common) / all;
}
