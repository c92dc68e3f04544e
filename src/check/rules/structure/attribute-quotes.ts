import { type Attribute, type OpenTag, scanMarkup, SITE_ATTRIBUTE } from "../../../markup/scan.js";
import { TOKEN } from "../../../mustache/tokens.js";
import { onceEach } from "../../once-each.js";
import type { Finding, Rule } from "../../rule.js";

export const attributeQuotes: Rule = {
  id: "attribute-quotes",
  summary: "The quotes of an attribute are missing, are not those of html, or end its value early.",
  severity: "error",
  checkTemplate({ document }): Finding[] {
    const { html } = document.input;
    const broken = scanMarkup(html).pieces.flatMap((piece) => {
      const found = piece.kind === "open" ? brokenAttribute(piece, html) : undefined;
      return found ? [{ ...found, start: piece.start }] : [];
    });
    if (broken.length === 0) return [];
    const elements = new Map(document.elements.map((element) => [element.start, element]));
    return onceEach(
      broken.flatMap(({ attribute, how, start }): Finding[] => {
        const name = attribute.name.replace(TOKEN, "");
        const finding = WORDS[how](name);
        const element = elements.get(start);
        return element ? [{ ...finding, at: element.at(name.toLowerCase()) }] : [];
      }),
    );
  },
};

type How = "ends-early" | "curly" | "no-equals" | "next-attribute" | "stray" | "within";

const WORDS: Readonly<Record<How, (name: string) => Pick<Finding, "message" | "hint" | "severity">>> = {
  "ends-early": (name) => ({
    message: `The value of ${name} ends at a quote within it: what follows becomes other attributes.`,
    hint: "Put quotes of the other kind around the value, or write `&quot;` and `&#39;` in it.",
  }),
  curly: (name) => ({
    message: `The quotes of ${name} are those of a text: they become part of its value, which ends at the first space.`,
    hint: 'Write " around the value.',
  }),
  "no-equals": (name) => ({
    message: `Between ${name} and its value there is no =: it has none.`,
    hint: `Write \`${name}="…"\`.`,
  }),
  "next-attribute": (name) => ({
    message: `There is no value behind the = of ${name}: the attribute that follows becomes it.`,
    hint: "Write the value, or remove the attribute.",
  }),
  stray: (name) => ({
    message: `Behind the value of ${name} there is a quote too many.`,
    hint: "Remove it.",
    severity: "warning",
  }),
  within: (name) => ({
    message: `The value of ${name} has a quote in it, and none around it.`,
    hint: 'Write " on both sides of the value.',
    severity: "warning",
  }),
};

interface Broken {
  readonly attribute: Attribute;
  readonly how: How;
}

function brokenAttribute(tag: OpenTag, html: string): Broken | undefined {
  const attributes = tag.attributes.filter(({ name }) => name !== SITE_ATTRIBUTE);
  for (const [index, attribute] of attributes.entries()) {
    if (/["'“”„‘’]/.test(attribute.name)) return aroundQuote(attributes, index, html);
    const how = hasValue(attribute) && !isQuoted(attribute, html) ? wrongWithBare(attribute, html) : undefined;
    if (how) return { attribute, how };
  }
  return undefined;
}

/** Whose quote it is that became part of an attribute's name. */
function aroundQuote(attributes: readonly Attribute[], index: number, html: string): Broken | undefined {
  const found = attributes[index];
  const before = attributes.slice(0, index).findLast((attribute) => isQuoted(attribute, html));
  const neighbour = attributes[index - 1];
  if (!found) return undefined;
  if (/^["'“”„‘’]/.test(found.name) && neighbour && !hasValue(neighbour))
    return { attribute: neighbour, how: "no-equals" };
  if (!before) return { attribute: neighbour ?? found, how: "no-equals" };
  const isAlone = /^["']$/.test(found.name) && attributes.slice(index + 1).every(({ name }) => !/["']/.test(name));
  return { attribute: before, how: isAlone ? "stray" : "ends-early" };
}

function wrongWithBare({ name, start, value, valueStart }: Attribute, html: string): How | undefined {
  if (/^[“”„‘’]/.test(value)) return "curly";
  const hasSpace = /=\s+$/.test(html.slice(start + name.length, valueStart));
  if (hasSpace && /^[a-z][\w:-]*=["']/i.test(value)) return "next-attribute";
  return value.includes('"') ? "within" : undefined;
}

function hasValue({ name, start, valueStart }: Attribute): boolean {
  return valueStart > start + name.length;
}

function isQuoted(attribute: Attribute, html: string): boolean {
  const quote = html.charAt(attribute.valueStart - 1);
  return hasValue(attribute) && (quote === '"' || quote === "'");
}
