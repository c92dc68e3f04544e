import type { Diagnostic, SourcePosition } from "../diagnostic.js";
import { valuesOf } from "../mustache/lookup.js";
import type { Variables, VariablesContract } from "../mustache/variables.js";

/** What a computed value is in the source code. */
export interface ComputedSource {
  /** The reserved variable's name, as in the contract. */
  readonly name: string;
  readonly at: SourcePosition;
  /** The expression on one line, shortened: `(order.cents / 100).toFixed(2)`. */
  readonly source: string;
}

/**
 * A diagnostic that quotes the source code of computed values instead of their reserved names.
 *
 * @example
 * const computed = [{ name: "cents__4k2x1", at, source: "(cents / 100).toFixed(2)" }];
 * quoteSource({ message: '"cents__4k2x1" may be absent.' }, computed).message; // "`(cents / 100).toFixed(2)` may be absent."
 */
export function quoteSource<Each extends Pick<Diagnostic, "message" | "hint">>(
  diagnostic: Each,
  computed: readonly ComputedSource[],
): Each {
  if (computed.length === 0) return diagnostic;
  const sources = new Map(computed.map(({ name, source }) => [name, source]));
  const names = [...sources.keys()].join("|");
  const pattern = new RegExp(`\\{\\{[{&#^/]?(${names})\\}?\\}\\}|"(${names})"|(?<![\\w.])(${names})(?!\\w)`, "g");
  const quote = (text: string): string =>
    text.replaceAll(pattern, (_, tag?: string, quoted?: string, bare?: string) => {
      if (tag !== undefined) return `{${sources.get(tag)}}`;
      return quoted === undefined ? `${sources.get(bare ?? "")}` : `\`${sources.get(quoted)}\``;
    });
  const { message, hint } = diagnostic;
  return { ...diagnostic, message: quote(message), ...(hint !== undefined && { hint: quote(hint) }) };
}

/** A computed value with its results for some variables. */
export interface ComputedResults extends ComputedSource {
  /** The sections around, outermost first. */
  readonly within: readonly string[];
  /** One for each time the innermost section is shown. */
  readonly results: readonly unknown[];
}

/** @param variables Completed variables. */
export function computedResults(
  computed: readonly ComputedSource[],
  { conditions }: Pick<VariablesContract, "conditions">,
  variables: Variables,
): ComputedResults[] {
  return computed.map((source) => {
    const { within = [] } = conditions.find(({ name }) => name === source.name) ?? {};
    return { ...source, within, results: valuesOf(variables, { within, name: source.name }) };
  });
}

const MOST_RESULTS = 5;
const LONGEST_RESULT = 80;

/**
 * @example
 * resultsInWords(["€5.00", "€12.50"]); // "€5.00, €12.50"
 * resultsInWords([[{ title: "Tea" }]]); // "1 item"
 */
export function resultsInWords(results: readonly unknown[]): string {
  if (results.length === 0) return "not shown";
  const words = results.slice(0, MOST_RESULTS).map((result) => resultInWords(result, results.length > 1));
  return words.join(", ") + (results.length > MOST_RESULTS ? `, … (${results.length})` : "");
}

/** @param isInRow Whether it is one of several. */
function resultInWords(result: unknown, isInRow: boolean): string {
  if (result === null || result === undefined) return "nothing";
  if (Array.isArray(result)) return result.length === 1 ? "1 item" : `${result.length} items`;
  const quoted = isInRow ? /^\s|\s$|[\n,]|^$/ : /^\s|\s$|\n|^$/;
  const isPlain = typeof result === "string" && !quoted.test(result);
  const text = isPlain ? result : JSON.stringify(result);
  return text.length > LONGEST_RESULT ? `${text.slice(0, LONGEST_RESULT - 1)}…` : text;
}
