import { contentFields } from "../content.js";
import type { FieldChange } from "../plan/plan.js";
import { type Hunk, hunksOf } from "./hunks.js";

/** What is different in the same way in each of some templates. */
export interface Difference {
  /** Names of all the templates that have it, and of no others; sorted. */
  readonly templates: readonly string[];
  /** By field, what a mail says before how it looks. */
  readonly hunks: readonly Hunk[];
}

export interface Change extends Difference {
  /**
   * What differs besides, in one way in some of the templates and in another way in the others: an edit that engines put
   * into html in their own ways. Each template has one of them; empty where there is no such thing.
   */
  readonly variants: readonly Difference[];
}

/**
 * Gathers what differs over many templates: an edit of a part that they share is one change with all their names. A
 * template's own edits are changes of one template. The most shared come first.
 *
 * @example
 * groupChanges([
 *   { name: "receipt", changes: [{ field: "text_body", from: "Thanks\nRow 14", to: "Thanks\nRow 22" }] },
 *   { name: "welcome", changes: [{ field: "text_body", from: "Hello\nRow 14", to: "Hello\nRow 22" }] },
 * ]);
 * // [{ templates: ["receipt", "welcome"], hunks: [{ field: "text_body", removed: ["Row 14"], added: ["Row 22"] }], variants: [] }]
 */
export function groupChanges(
  updates: readonly { readonly name: string; readonly changes: readonly FieldChange[] }[],
): Change[] {
  const shared = new Map<string, { readonly hunk: Hunk; readonly templates: Set<string> }>();
  for (const { name, changes } of updates) {
    for (const hunk of changes.flatMap(hunksOf)) {
      const key = keyOf(hunk);
      const known = shared.get(key);
      if (known === undefined) shared.set(key, { hunk, templates: new Set([name]) });
      else known.templates.add(name);
    }
  }

  const groups = new Map<string, { readonly templates: readonly string[]; readonly hunks: Hunk[] }>();
  for (const { hunk, templates } of shared.values()) {
    const names = [...templates].toSorted();
    const key = names.join("\n");
    const group = groups.get(key) ?? { templates: names, hunks: [] };
    group.hunks.push(hunk);
    groups.set(key, group);
  }
  const differences = [...groups.values()]
    .map(({ templates, hunks }) => ({ templates, hunks: hunks.toSorted(byField) }))
    .toSorted((a, b) => b.templates.length - a.templates.length || compareTexts(a.templates[0], b.templates[0]));
  return withVariants(differences);
}

/** How many of the most shared differences may have variants. */
const VARIED_MAX = 10;
/** There are three engines; what differs in more ways is no one edit. */
const VARIANTS_MAX = 4;

function withVariants(differences: readonly Difference[]): Change[] {
  const taken = new Set<Difference>();
  const changes: Change[] = [];
  for (const [index, difference] of differences.entries()) {
    if (taken.has(difference)) continue;
    const smaller = index < VARIED_MAX ? differences.slice(index + 1).filter((other) => !taken.has(other)) : [];
    const variants = partition(difference.templates, smaller);
    for (const variant of variants) taken.add(variant);
    changes.push({ ...difference, variants });
  }
  return changes;
}

/** Differences of which each of the templates has just one; none where they don't add up. */
function partition(templates: readonly string[], differences: readonly Difference[]): Difference[] {
  const rest = new Set(templates);
  const parts: Difference[] = [];
  for (const difference of differences) {
    if (!difference.templates.every((name) => rest.has(name))) continue;
    for (const name of difference.templates) rest.delete(name);
    parts.push(difference);
    if (parts.length === VARIANTS_MAX) break;
  }
  return rest.size === 0 ? parts : [];
}

/** Without indentation: a shared part may stand deeper in one template than in another. */
function keyOf({ field, removed, added }: Hunk): string {
  const trimmed = (lines: readonly string[]): string => lines.map((line) => line.trimStart()).join("\n");
  return `${field}\0${trimmed(removed)}\0${trimmed(added)}`;
}

function byField(a: Hunk, b: Hunk): number {
  return contentFields.indexOf(a.field) - contentFields.indexOf(b.field);
}

function compareTexts(a = "", b = ""): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
