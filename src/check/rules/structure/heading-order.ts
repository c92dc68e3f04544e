import type { EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";
import { headingsOf, levelOf } from "./headings.js";
import { areExclusive, type Branch, branches, isImpliedBy } from "./sections.js";

export const headingOrder: Rule = {
  id: "heading-order",
  summary: "Headings leave out a level, begin below the second, or there are several of the first.",
  severity: "warning",
  checkTemplate({ document }): Finding[] {
    const elements = headingsOf(document);
    const places = elements.length > 1 ? branches(document) : new Map<EmailElement, Branch>();
    const headings = elements.map((element) => ({ element, branch: places.get(element) ?? [] }));
    return headings.flatMap((heading, index): Finding[] => {
      const { element } = heading;
      const before = headings.slice(0, index);
      const jumped = predecessors(heading, before).find((each) => levelOf(element) > levelOf(each.element) + 1);
      if (jumped) {
        const between = `h${levelOf(jumped.element) + 1}`;
        const message = `The heading <${element.name}> follows <${jumped.element.name}>, and there is no <${between}> between them.`;
        return [{ message, at: element.at(), hint: `Make it \`<${between}>\`, and give it its size in styles.` }];
      }
      if (levelOf(element) > 2 && before.every((each) => areExclusive(each.branch, heading.branch))) {
        const message = `The first heading is <${element.name}>: to who listens, what it is a part of seems to be missing.`;
        return [
          {
            message,
            at: element.at(),
            hint: "Begin with `<h1>` or `<h2>`, and give it its size in styles.",
            severity: "info",
          },
        ];
      }
      const first = before.find((each) => each.element.name === "h1" && !areExclusive(each.branch, heading.branch));
      if (element.name !== "h1" || !first) return [];
      const message = "This is the second <h1>: screen readers take it for the title of another document.";
      return [{ message, at: element.at(), hint: "Make it `<h2>`.", severity: "info" }];
    });
  },
};

interface Heading {
  readonly element: EmailElement;
  readonly branch: Branch;
}

/** The headings that may come right before one: several, where sections may be left out. */
function predecessors({ branch }: Heading, before: readonly Heading[]): Heading[] {
  const found: Heading[] = [];
  for (const each of before.toReversed()) {
    if (areExclusive(each.branch, branch) || found.some((other) => isImpliedBy(other.branch, each.branch))) continue;
    found.push(each);
    if (isImpliedBy(each.branch, branch)) break;
  }
  return found;
}
