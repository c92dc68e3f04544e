import { type Attribute, scanMarkup, SITE_ATTRIBUTE } from "../../../text/markup/scan.js";
import { TOKEN } from "../../../mustache/tokens.js";
import type { BuiltInRule, Finding } from "../../rule.js";

export const attributeQuotes: BuiltInRule = {
  id: "attribute-quotes",
  severity: "error",
  summary: "An attribute's quotes are missing, curly, or end its value early.",
  why:
    "A value ends at the next quote of the kind that opened it ([the HTML standard on " +
    'attributes](https://html.spec.whatwg.org/multipage/syntax.html#attributes-2)). In `style="font-family: ' +
    '"Segoe UI", Arial; color: #333333"`, the value is `font-family: ` and the colour is lost. In ' +
    "`href='https://a.example/it's'`, the URL ends in the middle of a word. Curly quotes, `“` and `”`, don't " +
    'enclose a value: they become part of it, and it ends at the first space. `cellpadding= cellspacing="0"` ' +
    "makes the second attribute the value of the first. An extra quote after a value does no harm in most email clients.",
  fix: "Put `\"` around the value, and use `'` or `&quot;` inside it.",
  examples: {
    wrong: [
      '<p ‸style="font-family: "Segoe UI", Arial; color: #333333">Your order</p>',
      "<p ‸align=“center”>Your order</p>",
    ],
    right: ["<p style=\"font-family: 'Segoe UI', Arial; color: #333333\">Your order</p>"],
  },
  *checkTemplate({ document }): Generator<Finding> {
    const { html } = document.input;
    for (const piece of scanMarkup(html).pieces) {
      const attributes = piece.kind === "open" ? piece.attributes.filter(({ name }) => name !== SITE_ATTRIBUTE) : [];
      const [first] = attributes.flatMap((_, index) => brokenAt(attributes, index, html) ?? []);
      const element = first && document.nodeAt(piece.start);
      if (!first || element?.kind !== "element") continue;
      const { name, ...finding } = first;
      yield { ...finding, at: element.at(name.toLowerCase()) };
    }
  },
};

interface Broken extends Pick<Finding, "message" | "hint" | "severity"> {
  /** The attribute's name. */
  readonly name: string;
}

/** What is wrong with an attribute's quotes, or with an earlier attribute whose quotes ended up in this one's name. */
function brokenAt(attributes: readonly Attribute[], index: number, html: string): Broken | undefined {
  const attribute = attributes[index];
  if (!attribute) return undefined;
  if (!/["'“”„‘’]/.test(attribute.name)) return isQuoted(attribute, html) ? undefined : brokenValue(attribute);
  const previous = attributes[index - 1];
  const quoted = attributes.slice(0, index).findLast((each) => isQuoted(each, html));
  if (!quoted || (/^["'“”„‘’]/.test(attribute.name) && previous?.value === "" && previous !== quoted)) {
    const name = plainName(previous ?? attribute);
    return {
      name,
      message: `${name} has no value, because the = before its value is missing.`,
      hint: `Write \`${name}="…"\`.`,
    };
  }
  const name = plainName(quoted);
  const isStray = /^["']$/.test(attribute.name) && attributes.slice(index + 1).every((each) => !/["']/.test(each.name));
  return isStray
    ? { name, message: `There is an extra quote after the value of ${name}.`, hint: "Remove it.", severity: "warning" }
    : {
        name,
        message: `The value of ${name} ends early, at a quote inside it. The rest becomes other attributes.`,
        hint: "Put the other kind of quotes around the value, or write `&quot;` and `&#39;` in it.",
      };
}

function brokenValue(attribute: Attribute): Broken | undefined {
  const { value } = attribute;
  if (!/^[“”„‘’]|"|^[a-z][\w:-]*='/i.test(value)) return undefined;
  const name = plainName(attribute);
  return {
    name,
    message: `The value of ${name} contains a quote but is not in straight quotes, so it ends at the next space.`,
    hint: `Write \`${name}="…"\`.`,
    // A single quote at the end does no harm.
    ...(/^[^"“”„‘’]+"$/.test(value) && { severity: "warning" }),
  };
}

function plainName({ name }: Attribute): string {
  return name.replace(TOKEN, "");
}

function isQuoted({ name, start, valueStart }: Attribute, html: string): boolean {
  return valueStart > start + name.length && /["']/.test(html.charAt(valueStart - 1));
}
