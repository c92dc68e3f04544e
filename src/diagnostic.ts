/** How much a finding matters: an error fails `check`, a warning does unless allowed, an info never does. */
export type Severity = "error" | "warning" | "info";

/** A place in a user's file. Lines and columns start at 1; columns count UTF-16 units. */
export interface SourcePosition {
  /** Absolute path. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * One finding about a user's files: data, never thrown.
 *
 * @example
 * { rule: "mustache-syntax", severity: "error", message: "The section {{#items}} is never closed.",
 *   template: "receipt", at: { file: "/app/templates/receipt/receipt.mjml", line: 12, column: 5 },
 *   hint: "Add {{/items}} after the last row." }
 */
export interface Diagnostic {
  /** Stable id in kebab-case; also the name of the rule's page in `docs/rules/`. */
  readonly rule: string;
  readonly severity: Severity;
  /** What is wrong, in one sentence that names the thing. */
  readonly message: string;
  /** The same without the thing, where it is mended alike wherever it is found: a report tells it once, with its count. */
  readonly cause?: string;
  /** The template it was found in, where it belongs to one. */
  readonly template?: string;
  readonly at?: SourcePosition;
  /** What to do next. */
  readonly hint?: string;
  /** What mends it, where a machine can tell: `check --fix` makes these changes. */
  readonly edits?: readonly Edit[];
}

/**
 * A change of a user's file.
 *
 * @example
 * { at: { file: "/app/templates/hi.html", line: 3, column: 5 }, remove: "", insert: ' alt=""' }
 */
export interface Edit {
  readonly at: Required<SourcePosition>;
  /** What has to stand at that place; where it does not, nothing is changed. */
  readonly remove: string;
  readonly insert: string;
  /** It may change what readers see or where a link leads: `check --fix` makes it only with `--unsafe`. */
  readonly isUnsafe?: true;
}

/** Whether a machine can fix a finding without a change that readers see; with such a change, too, for `unsafe`. */
export function isFixable(
  { edits = [] }: Pick<Diagnostic, "edits">,
  { unsafe }: { readonly unsafe: boolean },
): boolean {
  return edits.length > 0 && (unsafe || !edits.some(({ isUnsafe }) => isUnsafe));
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}
