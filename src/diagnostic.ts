/** An error fails `check`, a warning does unless it is allowed, an info never does. */
export type Severity = "error" | "warning" | "info";

/** A place in a user's file. Lines and columns start at 1; columns count UTF-16 units. */
export interface SourcePosition {
  /** Absolute path. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * A problem in a user's files: data, never thrown.
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
  /** The message without the thing's name, if the fix is the same everywhere: reports group by it, and show the count. */
  readonly cause?: string;
  /** The template it belongs to, if any. */
  readonly template?: string;
  readonly at?: SourcePosition;
  /** What to do next. */
  readonly hint?: string;
  /** Changes that fix it, if they can be determined: `check --fix` applies them. */
  readonly edits?: readonly Edit[];
}

/**
 * A change to a user's file.
 *
 * @example
 * { at: { file: "/app/templates/hi.html", line: 3, column: 5 }, remove: "", insert: ' alt=""' }
 */
export interface Edit {
  readonly at: Required<SourcePosition>;
  /** The expected text at that position; if it differs, nothing is changed. */
  readonly remove: string;
  readonly insert: string;
  /** May change what recipients see or where a link leads: `check --fix` applies it only with `--unsafe`. */
  readonly isUnsafe?: true;
}

/** Whether a diagnostic has an automatic fix; with `unsafe`, fixes that change what recipients see count, too. */
export function isFixable(
  { edits = [] }: Pick<Diagnostic, "edits">,
  { unsafe }: { readonly unsafe: boolean },
): boolean {
  return edits.length > 0 && (unsafe || !edits.some(({ isUnsafe }) => isUnsafe));
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}
