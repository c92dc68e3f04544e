/** CSS split into what can be moved into style attributes and the rest, as written. */
export interface SplitCss {
  readonly inlined: string;
  /** The selectors of the inlined rules. */
  readonly selectors: readonly string[];
  /** At-rules, and rules for states that only an email client knows: `:hover`, `::before`. */
  readonly kept: string;
}

const MARKS = /<!--|-->|\/\*[^]*?(?:\*\/|$)|"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|url\([^)"']*\)|[{};]/g;
const STATE =
  /::|:(?:hover|active|focus(?:-\w+)?|visited|link|any-link|target|before|after|first-line|first-letter|root|has|checked|disabled|enabled)\b/i;

/**
 * @example
 * splitCss("a { color: red } a:hover { color: blue }"); // { inlined: "a { color: red }", selectors: ["a"], kept: "a:hover { color: blue }" }
 */
export function splitCss(css: string): SplitCss {
  const inlined: string[] = [];
  const kept: string[] = [];
  const inlinedSelectors: string[] = [];
  for (const rule of rulesOf(css)) {
    const brace = rule.indexOf("{");
    const selectors =
      brace < 0
        ? []
        : rule
            .slice(0, brace)
            .split(",")
            .map((selector) => selector.trim());
    const inlinable = selectors.filter((selector) => !STATE.test(selector));
    if (!rule.startsWith("@")) inlinedSelectors.push(...inlinable);
    if (rule.startsWith("@") || inlinable.length === 0) kept.push(rule);
    else if (inlinable.length === selectors.length) inlined.push(rule);
    else {
      inlined.push(`${inlinable.join(", ")} ${rule.slice(brace)}`);
      kept.push(`${selectors.filter((selector) => STATE.test(selector)).join(", ")} ${rule.slice(brace)}`);
    }
  }
  return { inlined: inlined.join("\n"), selectors: inlinedSelectors, kept: kept.join("\n") };
}

/** Whether a selector depends on the number of elements before or after one, which sections change. */
export function countsElements(selector: string): boolean {
  return /:(?:first|last|only|nth)-|:empty\b|[+~]/i.test(selector.replaceAll(/\[[^\]]*\]/g, ""));
}

/** The top-level rules, without the comments between them. */
function rulesOf(css: string): string[] {
  const rules: string[] = [];
  let rule = "";
  let from = 0;
  let depth = 0;
  for (const { 0: mark, index } of css.matchAll(MARKS)) {
    const isComment = /^(?:\/\*|<!--|-->)/.test(mark);
    const end = index + mark.length;
    rule += css.slice(from, isComment ? index : end);
    from = end;
    if (mark === "{") depth += 1;
    else if (mark === "}") depth -= 1;
    if (depth > 0 || (mark !== "}" && mark !== ";")) continue;
    rules.push(rule.trim());
    rule = "";
    depth = 0;
  }
  rules.push((rule + css.slice(from)).trim());
  // A rule after a stray semicolon would be invalid.
  return rules.filter((each) => each !== "" && each !== ";");
}
