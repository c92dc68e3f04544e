/** IDs of the previous version, by the rule that replaced them. The next version drops them. */
const MERGED: Readonly<Record<string, readonly string[]>> = {
  "client-unsupported": ["client-partial"],
  headings: ["heading-empty", "heading-order"],
  "language-missing": ["body-language"],
  "marketing-wording": ["list-wording"],
  preheader: ["preheader-length", "preheader-missing", "preheader-repeats", "preheader-wording"],
  "spam-wording": ["spam-phrase", "subject-capitals", "subject-punctuation", "subject-reply", "text-capitals"],
  "stripped-element": ["base-element", "embedded-content", "form-element", "meta-refresh", "script-element"],
  "suspicious-link": ["executable-link", "link-shortener", "link-text-address", "look-alike-domain", "numeric-host"],
  "table-role": ["data-table-role", "layout-table-role"],
  "unknown-html": ["unknown-attribute", "unknown-element"],
  "unused-file": ["unused-asset", "unused-fixture", "unused-part"],
  viewport: ["viewport-missing", "viewport-zoom"],
};

const REMOVED = (
  "charset-missing class-name contrast-forced-dark language-script language-words list-parts list-run-together " +
  "mixed-scripts preheader-padding printed-zero repeated-word same-for-each section-over-value section-twice " +
  "shadowed-variable style-object tap-target template-name-windows unbalanced-marks variable-in-comment"
).split(" ");

const SUCCESSORS: ReadonlyMap<string, string | undefined> = new Map([
  ...REMOVED.map((id) => [id, undefined] as const),
  ...Object.entries(MERGED).flatMap(([successor, ids]) => ids.map((id) => [id, successor] as const)),
]);

/**
 * The rule that replaced an ID of the previous version; any other ID is returned as it is.
 *
 * @example
 * currentRule("client-partial"); // "client-unsupported"
 */
export function currentRule(id: string): string {
  return SUCCESSORS.get(id) ?? id;
}

/**
 * Explains what to write instead of an ID of the previous version; undefined for any other ID.
 *
 * @example
 * formerRule("client-partial"); // { message: "client-partial is now part of client-unsupported.", hint: "Write client-unsupported." }
 */
export function formerRule(id: string): { readonly message: string; readonly hint: string } | undefined {
  if (!SUCCESSORS.has(id)) return undefined;
  const successor = SUCCESSORS.get(id);
  return successor === undefined
    ? { message: `The rule ${id} was removed.`, hint: `Remove ${id}.` }
    : { message: `${id} is now part of ${successor}.`, hint: `Write ${successor}.` };
}
