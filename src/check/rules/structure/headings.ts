import type { EmailElement } from "../../document/nodes.js";
import type { BuiltInRule, CheckedTemplate, Finding } from "../../rule.js";
import { LIGHT } from "../../styles/matching.js";
import { isHidden } from "../../styles/computed.js";
import { accessibleName } from "../../lib/texts.js";
import { areExclusive, isImpliedBy } from "../../truth/truth-table.js";

export const headings: BuiltInRule = {
  id: "headings",
  severity: "warning",
  summary: "A heading is empty, a level is skipped, the first is too deep, or `<h1>` is repeated.",
  details:
    "A heading is empty; a level is skipped, such as an `<h4>` after an `<h2>`; the first heading is below `<h2>`; " +
    "or `<h1>` is repeated.",
  why:
    "Many people who use a screen reader jump from heading to heading, and a skipped level sounds like a missing " +
    "section: [W3C's tutorial on headings](https://www.w3.org/WAI/tutorials/page-structure/headings/). Empty " +
    "headings are announced like others: [axe's rule " +
    "empty-heading](https://dequeuniversity.com/rules/axe/4.10/empty-heading). Mustache sections are checked both " +
    "with and without their content: an `<h3>` after an `<h2>` that is sometimes absent is reported, but two " +
    "`<h1>` that are never shown together are fine. So is an email without headings.",
  fix:
    "Choose the element by its level, and set its size in styles. Change a second `<h1>` to `<h2>`. Remove an " +
    "empty heading, and use padding for space.",
  examples: {
    wrong: [
      `<h2>Your order</h2>
‸<h4>Tea</h4>`,
      "‸<h2></h2>",
    ],
    right: [
      `<h2>Your order</h2>
<h3>Tea</h3>`,
    ],
  },
  *checkTemplate(checked): Generator<Finding> {
    const all = checked.document
      .named("h1", "h2", "h3", "h4", "h5", "h6")
      .filter((element) => element.attribute("role") === undefined && !isHidden(element, LIGHT));
    for (const [index, heading] of all.entries()) {
      const mistake = mistakeIn(heading, all.slice(0, index), checked);
      if (mistake) yield { ...mistake, at: heading.at() };
    }
  },
};

function levelOf({ name }: EmailElement): number {
  return Number(name.slice(1));
}

function mistakeIn(
  heading: EmailElement,
  before: readonly EmailElement[],
  checked: CheckedTemplate,
): Omit<Finding, "at"> | undefined {
  const { name } = heading;
  if (accessibleName(heading) === "")
    return {
      message: `The heading <${name}> is empty, but screen readers still announce it.`,
      hint: "Remove it. For spacing, use padding.",
    };
  const jumped = predecessors(heading, before, checked).find((each) => levelOf(heading) > levelOf(each) + 1);
  if (jumped) {
    const between = `h${levelOf(jumped) + 1}`;
    return {
      message: `The heading <${name}> follows <${jumped.name}> and skips <${between}>.`,
      hint: `Make it \`<${between}>\`, and set its size in styles.`,
    };
  }
  const others = before.filter((each) => !areExclusive(checked, each, heading));
  if (levelOf(heading) > 2 && others.length === 0)
    return {
      severity: "info",
      message: `The first heading is <${name}>: screen readers announce a missing parent heading.`,
      hint: "Start with `<h1>` or `<h2>`, and set its size in styles.",
    };
  if (name !== "h1" || !others.some((each) => each.name === "h1")) return undefined;
  return {
    severity: "info",
    message: "This is the second <h1>. To screen readers it is the title of another document.",
    hint: "Make it `<h2>`.",
  };
}

/** The headings that can directly precede one: several, if sections can be absent. */
function predecessors(heading: EmailElement, before: readonly EmailElement[], checked: CheckedTemplate) {
  const found: EmailElement[] = [];
  for (const each of before.toReversed()) {
    if (areExclusive(checked, each, heading) || found.some((other) => isImpliedBy(other, each))) continue;
    found.push(each);
    if (isImpliedBy(each, heading)) break;
  }
  return found;
}
