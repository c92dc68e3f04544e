import type { EmailElement } from "../../document/nodes.js";
import { HTML_ELEMENTS } from "../../../text/markup/scan.js";
import { nearest } from "../../../text/nearest.js";
import type { BuiltInRule, Finding } from "../../rule.js";

export const unknownHtml: BuiltInRule = {
  id: "unknown-html",
  severity: "warning",
  summary: "Unknown HTML element or attribute, probably a typo.",
  details:
    "Unknown HTML element or attribute, probably a typo: `<stong>`, `<sapn>`, `stlye`, `widht`, `herf`, " +
    "`aria-lable`.",
  why:
    "Email clients report no error. They show the content of an unknown element as plain text ([the HTML standard " +
    "on unknown elements](https://html.spec.whatwg.org/multipage/dom.html#htmlunknownelement)) and ignore an " +
    "unknown attribute ([on attributes](https://html.spec.whatwg.org/multipage/syntax.html#attributes-2)), so the " +
    "weight, the link, the style or the size is lost.",
  fix:
    "Fix the name. Names with a hyphen or a colon, such as Outlook's `o:p` or `data-id`, are assumed to be " +
    "intended.",
  examples: {
    wrong: ["<p>Your ‸<stong>order</stong></p>", '<p ‸stlye="margin: 0">Your order</p>'],
    right: ['<p style="margin: 0" data-id="1">Your <strong>order</strong></p>', "<o:p>Your order</o:p>"],
  },
  checkTemplate: ({ document }) =>
    document.elements
      .filter((element) => ![element, ...element.ancestors].some(({ name }) => name === "svg" || name === "math"))
      .flatMap((element) => [...unknownElement(element), ...unknownAttributes(element)]),
};

function* unknownElement(element: EmailElement): Generator<Finding> {
  const { name } = element;
  // Shorter names are similar to too many elements; a hyphen or a colon makes a custom element.
  if (!/^(?:[a-z][a-z0-9]{2,}|h\d)$/.test(name) || HTML_ELEMENTS.has(name)) return;
  const meant = nearest(name, COMMON);
  if (meant !== undefined)
    yield {
      message: `<${name}> is not an HTML element: email clients show only its content.`,
      at: element.at(),
      hint: `Did you mean \`<${meant}>\`?`,
    };
}

/** The elements that emails use most. */
const COMMON = (
  "html head body title style meta link table thead tbody tfoot caption div span img strong small font center blockquote pre " +
  "code button section header footer main article label sup sub h1 h2 h3 h4 br hr td th tr ul ol li em"
).split(" ");

function* unknownAttributes(element: EmailElement): Generator<Finding> {
  for (const attribute of /[-:]/.test(element.name) ? [] : element.tokenised.keys()) {
    const meant = attributeMeant(attribute);
    if (meant === undefined || hasOwn(element, meant)) continue;
    yield {
      message: `${attribute} is not an HTML attribute: email clients ignore it on <${element.name}>.`,
      at: element.at(attribute),
      hint: `Did you mean \`${meant}\`?`,
    };
  }
}

/** The attribute that a misspelt name stands for; undefined for known and custom attributes. */
function attributeMeant(name: string): string | undefined {
  if (!/^[a-z]{3,}$/.test(name) || KNOWN_ATTRIBUTES.includes(name)) return undefined;
  // React prints unknown attributes unchanged.
  return name === "classname" ? "class" : nearest(name, COMMON_ATTRIBUTES, 1);
}

const COMMON_ATTRIBUTES = (
  "align alt background bgcolor border cellpadding cellspacing charset class color colspan content dir face height href hspace " +
  "lang media name role rowspan scope size src style summary target title type valign vspace width"
).split(" ");
/** Less common, but valid. */
const KNOWN_ATTRIBUTES = [...COMMON_ATTRIBUTES, "scoped", "sizes"];

/** Whether a user wrote an attribute, rather than a component adding it by default. */
function hasOwn(element: EmailElement, attribute: string): boolean {
  if (!element.attributes.has(attribute)) return false;
  return element.isWritten || (element.hasWritten(attribute) ?? true);
}
