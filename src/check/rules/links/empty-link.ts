import type { EmailElement } from "../../document/nodes.js";
import type { BuiltInRule, CheckedTemplate, Finding } from "../../rule.js";
import { branchOf, formatVariables, TruthTable } from "../../truth/truth-table.js";
import { conditionsOfCompiler } from "../../lib/variables.js";
import { accessibleName } from "../../lib/texts.js";
import { addressesIn } from "../../lib/addresses.js";

export const emptyLink: BuiltInRule = {
  id: "empty-link",
  severity: "error",
  summary: "A link has no URL, or only `#`.",
  details:
    "A link has no URL: `href` is empty, only `#`, or missing. With only some variables it is a warning: " +
    '`href="{{#url}}{{url}}{{/url}}"`.',
  why:
    "The link does nothing, or opens an empty page. In an email, `#` does not even lead to the top, because email " +
    "clients show the email inside their own page. An `<a>` with a `name` or an `id` and without `href` is an " +
    "anchor, and fine. An empty URL is an error; `#` and a missing URL are warnings.",
  fix:
    "Set the URL, or remove the link. If only some variables leave it empty, move the whole link into the section, " +
    "or add a URL for the other case: `{{^url}}…{{/url}}`.",
  examples: {
    wrong: [
      '<a ‸href="">Your order</a>',
      '<a ‸href="#">Your order</a>',
      {
        "order/order.html": '<a ‸href="{{#url}}{{url}}{{/url}}">Your order</a>',
        "order/fixtures/default.json": '{ "url": "https://shop.example/orders/1" }',
      },
    ],
    right: ['<a href="https://shop.example/orders">Your order</a>', '<a name="total">Total</a>'],
  },
  checkTemplate: (checked) => [
    ...linksWithEmptyUrl(checked),
    ...anchorsWithoutUrl(checked),
    ...buttonsWithoutUrl(checked),
  ],
};

const NOWHERE = /^#?!?$/;

function linksWithEmptyUrl(checked: CheckedTemplate): Finding[] {
  const links = addressesIn(checked).filter(({ use }) => use === "link");
  return links.flatMap(({ element, attribute, written }): Finding[] => {
    const at = element.atUse(attribute);
    // `#` is often meant to be replaced later; an empty URL is left over from another.
    if (NOWHERE.test(written)) {
      const problem = `its URL is ${written || "empty"}`;
      return [{ ...finding(`link${named(element)}`, problem), severity: written === "" ? "error" : "warning", at }];
    }
    const part = { text: written, around: branchOf(element) };
    const outcome = TruthTable.of(checked).blank(part, (text) => NOWHERE.test(text.trim()));
    if (!outcome) return [];
    const url = outcome.texts.flat().find((text) => NOWHERE.test(text.trim()));
    const message = `With ${formatVariables(outcome.variables)} the link${named(element)} leads nowhere: its URL is ${url?.trim() || "empty"}.`;
    const hint = "Add a URL for that case, or move the whole link into the section.";
    return [{ severity: "warning", message, at, hint }];
  });
}

function anchorsWithoutUrl({ document }: CheckedTemplate): Finding[] {
  return document
    .named("a")
    .filter((link) => !["href", "name", "id"].some((name) => link.attributes.has(name)) && named(link) !== "")
    .map((link) => ({ ...finding(`link${named(link)}`, "it has no URL"), at: link.atUse() }));
}

/** Recognizes what MJML compiles a button without a URL to. */
function buttonsWithoutUrl({ document, compiled }: CheckedTemplate): Finding[] {
  // A button whose URL is a variable is also compiled for the case that it is empty.
  const forEmpty = [...conditionsOfCompiler(compiled.contract)].map((name) => `#${name}`);
  return document
    .named("p")
    .filter(
      ({ parent, attributes }) =>
        parent?.name === "td" &&
        parent.attribute("role") === "presentation" &&
        /cursor:\s*auto/.test(parent.attribute("style") ?? "") &&
        /display:\s*inline-block/.test(attributes.get("style") ?? ""),
    )
    .filter((button) => !branchOf(button).some((section) => forEmpty.includes(section)))
    .map((button) => ({ ...finding(`button${named(button)}`, "it has no URL"), at: button.at() }));
}

function finding(what: string, problem: string): Finding {
  return {
    severity: "warning",
    message: `The ${what} leads nowhere: ${problem}.`,
    cause: `A ${what.replace(/ .*/s, "")} leads nowhere: ${problem}.`,
    hint: "Set its URL, or remove it.",
  };
}

/** The name that recipients see or hear, in quotes after a space; empty if there is none. */
function named(element: EmailElement): string {
  const name = accessibleName(element);
  return name && ` "${name.slice(0, 60)}"`;
}
