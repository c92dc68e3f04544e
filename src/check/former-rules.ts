/** Ids of the previous version, by the rule that reports the same now. The next version drops them. */
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

/** Ids of the previous version that have no successor. */
const REMOVED: ReadonlySet<string> = new Set(
  (
    "charset-missing class-name contrast-forced-dark language-script language-words list-parts list-run-together mixed-scripts preheader-padding printed-zero repeated-word same-for-each " +
    "section-over-value section-twice shadowed-variable style-object tap-target template-name-windows unbalanced-marks variable-in-comment"
  ).split(" "),
);

const SUCCESSORS: ReadonlyMap<string, string> = new Map(
  Object.entries(MERGED).flatMap(([id, former]) => former.map((each) => [each, id] as const)),
);

export function isFormerRule(id: string): boolean {
  return REMOVED.has(id) || SUCCESSORS.has(id);
}

/**
 * The id that reports now what an id of the previous version did; any other stays as it is.
 *
 * @example
 * currentRule("client-partial"); // "client-unsupported"
 */
export function currentRule(id: string): string {
  return SUCCESSORS.get(id) ?? id;
}

/**
 * What became of a former rule.
 *
 * @example
 * formerRuleNote("client-partial"); // { message: "client-partial is part of client-unsupported now.", hint: "Write client-unsupported." }
 */
export function formerRuleNote(id: string): { readonly message: string; readonly hint: string } {
  const successor = SUCCESSORS.get(id);
  return successor === undefined
    ? { message: `The rule ${id} was removed.`, hint: `Remove ${id}.` }
    : { message: `${id} is part of ${successor} now.`, hint: `Write ${successor}.` };
}
