import type { Shape } from "../../../mustache/shape.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { htmlTags, type TagInPlace, withinOf } from "../../variables/tags.js";
import { valuesOf } from "../../variables/values.js";

export const variableInCss: Rule = {
  id: "variable-in-css",
  summary: "A text that the application chooses freely is printed into CSS.",
  severity: "warning",
  checkTemplate(checked) {
    const found = new Map<string, Finding>();
    for (const tag of htmlTags(checked)) {
      if (!isInCss(tag) || isHarmless(tag)) continue;
      const looksHarmless = areCssValues(tag, checked);
      if (looksHarmless && isDerived(tag, checked)) continue;
      const at = tag.at();
      // MJML writes one attribute into several styles.
      found.set(`${tag.name} ${JSON.stringify(at)}`, {
        severity: looksHarmless ? "info" : "warning",
        message: `${tag.text} prints into CSS, where ${danger(tag)}.`,
        at,
        hint: "Let the schema name what it may be, as z.enum([…]) does, or choose it in derive (variables.ts).",
      });
    }
    return [...found.values()];
  },
};

function danger({ kind, where }: TagInPlace): string {
  return kind === "unescaped" && where?.kind === "text"
    ? "a text with </style> in it ends the style sheet, and the rest of it is html"
    : 'a text such as "red; display: none" is more than a value';
}

function isInCss({ kind, where }: TagInPlace): boolean {
  if (kind !== "variable" && kind !== "unescaped") return false;
  if (where?.kind === "attribute") return where.attribute === "style";
  return where?.kind === "text" && where.node.parent.name === "style";
}

/** What is no text of the application's own choosing: numbers, one of a few, an address. */
function isHarmless({ found }: TagInPlace): boolean {
  return found !== undefined && found.shape.isKnown && found.shape.kinds.every(isChosen);
}

/** What derive gives, the project itself has chosen, unless its examples are something else. */
function isDerived({ found }: TagInPlace, { compiled }: CheckedTemplate): boolean {
  const [first = ""] = found?.path.split(/[.[]/) ?? [];
  return Object.hasOwn(compiled.contract.derived?.properties ?? {}, first);
}

function isChosen(kind: Shape["kinds"][number]): boolean {
  if (kind.enum || kind.const !== undefined) return true;
  if (kind.type === "string") return kind.format !== undefined;
  return kind.type !== undefined;
}

const CSS_VALUE = /^(?:#[0-9a-f]{3,8}|-?[\d.]+(?:px|em|rem|%|pt|vw)?|[a-z]{2,20}|(?:rgb|hsl)a?\([\d\s.,%/]+\))$/i;

/** A schema may hold each to a pattern, which is not to be seen here; then its examples look so. */
function areCssValues(tag: TagInPlace, { compiled }: CheckedTemplate): boolean {
  const values = compiled.fixtures.flatMap(({ variables }) =>
    valuesOf(variables, { within: withinOf(tag), name: tag.name }),
  );
  const texts = values.filter((value) => value !== null && value !== undefined);
  return texts.length > 0 && texts.every((value) => typeof value === "string" && CSS_VALUE.test(value));
}
