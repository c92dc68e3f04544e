/** A selector that stands within another rule, and where. */
interface Nested {
  readonly selector: string;
  readonly offset: number;
}

/**
 * The selectors of a stylesheet that stand within another rule.
 *
 * @example
 * nestedSelectors("a { &:hover { color: red } }"); // [{ selector: "&:hover", offset: 4 }]
 */
export function nestedSelectors(css: string): Nested[] {
  const nested: Nested[] = [];
  const open: string[] = [];
  let prelude = { written: "", start: 0 };
  for (const { 0: piece, index } of withoutTexts(css).matchAll(/[{};]|[^{};]+/g)) {
    if (piece === "{") {
      const selector = prelude.written.trim();
      const isInRule = open.some((each) => !each.startsWith("@"));
      const offset = prelude.start + prelude.written.search(/\S|$/);
      if (isInRule && !selector.startsWith("@")) nested.push({ selector, offset });
      open.push(selector);
    } else if (piece === "}") open.pop();
    prelude = /[{};]/.test(piece) ? { written: "", start: index } : { written: piece, start: index };
  }
  return nested;
}

/** Comments, strings and Mustache tags may hold braces that open nothing. */
function withoutTexts(css: string): string {
  return css
    .replaceAll(/\/\*[^]*?\*\/|\{\{[^]*?\}\}\}?|<!--|-->/g, (found) => " ".repeat(found.length))
    .replaceAll(/"[^"\n]*"|'[^'\n]*'/g, (found) => found.replaceAll(/[{};]/g, "_"));
}
