import { contentFields } from "../content.js";
import type { FieldChange } from "../plan/plan.js";
import { type Hunk, hunksOf } from "./hunks.js";

/** The same difference in each of some templates. */
export interface Difference {
  /** Names of exactly the templates that have it, sorted. */
  readonly templates: readonly string[];
  /** By field: what an email says before how it looks. */
  readonly hunks: readonly Hunk[];
}

export interface Change extends Difference {
  /**
   * Further differences that vary between the templates: one edit that engines turn into HTML in different ways. Each
   * template has one of them; empty if there are none.
   */
  readonly variants: readonly Difference[];
}

/**
 * Groups differences across templates: an edit of a shared part is one change with the names of all its templates. A
 * template's own edits are changes of one template. The most shared ones come first.
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
      const entry = shared.get(key);
      if (entry === undefined) shared.set(key, { hunk, templates: new Set([name]) });
      else entry.templates.add(name);
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
/** There are three engines; differences with more variants are not a single edit. */
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

/** Differences of which each template has exactly one; empty if they don't add up. */
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

/** Ignores indentation: a shared part may be nested deeper in one template than in another. */
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
