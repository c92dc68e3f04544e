/**
 * The selectors of a stylesheet that stand within another rule.
 *
 * @example
 * nestedSelectors("a { &:hover { color: red } }"); // ["&:hover"]
 */
export function nestedSelectors(css: string): string[] {
  const nested: string[] = [];
  const open: string[] = [];
  let prelude = "";
  for (const [piece] of withoutTexts(css).matchAll(/[{};]|[^{};]+/g)) {
    if (piece === "{") {
      const selector = prelude.trim();
      const isInRule = open.some((each) => !each.startsWith("@"));
      if (isInRule && !selector.startsWith("@")) nested.push(selector);
      open.push(selector);
    } else if (piece === "}") open.pop();
    prelude = /[{};]/.test(piece) ? "" : piece;
  }
  return nested;
}

/** Comments, strings and Mustache tags may hold braces that open nothing. */
function withoutTexts(css: string): string {
  return css.replaceAll(/\/\*[^]*?\*\/|\{\{[^]*?\}\}\}?/g, "").replaceAll(/"[^"\n]*"|'[^'\n]*'/g, '""');
}
