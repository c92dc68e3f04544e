import type { EmailElement, EmailText } from "../../document/nodes.js";
import type { BuiltInRule, CheckedTemplate } from "../../rule.js";
import { cascadedString } from "../../styles/cascade.js";
import { DARK, LIGHT, PHONE, type MediaContext } from "../../styles/matching.js";
import { isHidden, isZero } from "../../styles/computed.js";
import { areExclusive, branchOf } from "../../truth/truth-table.js";
import { visibleText } from "../../lib/texts.js";

export const hiddenText: BuiltInRule = {
  id: "hidden-text",
  severity: "warning",
  summary: "Text other than the preheader is hidden from everyone.",
  details: "Text other than the preheader is hidden from everyone: `display: none`, no height, a font size of 0.",
  why:
    "[Google's guidelines for senders](https://support.google.com/mail/answer/81126) say not to hide content with " +
    "HTML and CSS, because it may get the email marked as spam. Text that a style sheet shows again on some " +
    "screens or in some clients is not reported, and neither is hidden text before the first visible text.",
  fix: "Remove the text, or show it. Text in the same colour as its background is reported by `contrast`.",
  examples: {
    wrong: [
      `<p>Your order is on its way.</p>
<p style="display: none">‸cheap watches</p>`,
    ],
    right: ["<p>Your order is on its way.</p>"],
  },
  checkTemplate: (checked) =>
    hiddenAfterVisible(checked)
      .filter((node) => hasWords(node) && !isWordless(node.parent) && !mayBeShown(node.parent))
      .map((node) => ({
        message: `"${visibleText(node.text).slice(0, 60)}" is hidden from everyone, which spam filters treat as an attempt to deceive them.`,
        at: node.at(),
        hint: "Remove it, or show it.",
      })),
};

/** Hidden text before the first visible text is the preheader. */
function hiddenAfterVisible(checked: CheckedTemplate): EmailText[] {
  /** One for each branch. */
  const visible = new Map<string, EmailElement>();
  return checked.document.texts.filter(({ text, parent }) => {
    if (!/\S/.test(text)) return false;
    const isHiddenIn = (view: MediaContext) => isHidden(parent, view);
    if (!isHiddenIn(LIGHT) && visibleText(text) !== "") visible.set(JSON.stringify(branchOf(parent)), parent);
    // A section and its opposite may each contain a whole body.
    const isAfter = [...visible.values()].some((other) => !areExclusive(checked, other, parent));
    return isAfter && [LIGHT, DARK, PHONE].every(isHiddenIn);
  });
}

/** A short word may be a label that some client shows in its own way. */
function hasWords({ text }: EmailText): boolean {
  return (visibleText(text).match(/\p{L}/gu) ?? []).length >= 8;
}

function isWordless({ name, ancestors }: EmailElement): boolean {
  return [name, ...ancestors.map((ancestor) => ancestor.name)].some((each) =>
    /^(?:style|script|title|noscript|svg|template)$/.test(each),
  );
}

/** Whether a rule for some clients or screens, such as `@supports` or `.ExternalClass .web`, may show it. */
function mayBeShown(element: EmailElement): boolean {
  const around = [element, ...element.ancestors];
  if (
    around.some(({ attributes }) => attributes.get("class")?.includes("{{") || attributes.get("style")?.includes("{{"))
  )
    return true;
  return around.some((each) => {
    const hiding = hidingProperties(each);
    const names = each.attributes.get("class")?.split(/\s+/).filter(Boolean) ?? [];
    return (
      hiding.length > 0 &&
      element.document.styleRules.some(
        ({ selectors, within, declarations }) =>
          declarations.some(({ property }) => hiding.includes(property)) &&
          selectors.some(
            (selector) =>
              (within.length > 0 || /\s|\[/.test(selector)) && names.some((name) => selector.includes(`.${name}`)),
          ),
      )
    );
  });
}

/** The properties that hide this element itself. */
function hidingProperties(element: EmailElement): readonly string[] {
  const value = (property: string): string => cascadedString(element, property, LIGHT) ?? "";
  return [
    ...(value("display") === "none" ? ["display"] : []),
    ...(value("visibility") === "hidden" ? ["visibility"] : []),
    ...(isZero(value("opacity")) ? ["opacity"] : []),
    // Columns of a layout often have a font size of 0.
    ...(isZero(value("font-size")) && element.elements.length === 0 ? ["font-size"] : []),
    ...(value("overflow") === "hidden" ? ["overflow", "max-height", "height"] : []),
  ];
}
