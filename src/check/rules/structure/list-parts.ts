import type { EmailComment, EmailElement, EmailNode } from "../../document/nodes.js";
import { onceEach } from "../../once-each.js";
import type { Finding, Rule } from "../../rule.js";
import { firstShown } from "./shown-text.js";

export const listParts: Rule = {
  id: "list-parts",
  summary: "Something that is no item stands directly in a list, or an item stands in none.",
  severity: "warning",
  checkTemplate({ document }) {
    return onceEach(
      document.elements.flatMap((element): Finding[] => [
        ...(LISTS.has(element.name) && !element.attributes.has("role") ? strangersIn(element) : []),
        ...(element.name in HOLDERS ? stray(element) : []),
      ]),
    );
  },
};

const LISTS: ReadonlySet<string> = new Set(["ul", "ol", "dl"]);
/** A list in a list without an item is shown by every client as it is meant. */
const MAY_STAND_IN: Readonly<Record<string, ReadonlySet<string>>> = {
  ul: new Set(["li", "ul", "ol", "script", "style", "template"]),
  ol: new Set(["li", "ul", "ol", "script", "style", "template"]),
  dl: new Set(["dt", "dd", "div", "script", "style", "template"]),
};
const HOLDERS: Readonly<Record<string, readonly string[]>> = {
  li: ["ul", "ol", "menu", "dir"],
  dt: ["dl", "div"],
  dd: ["dl", "div"],
};

/** The first of them: what is wrong once in a list is mostly wrong throughout. */
function strangersIn(list: EmailElement): Finding[] {
  const stranger = list.children.find((child): child is Shown => isStranger(child, list));
  if (!stranger) return [];
  const hint = list.name === "dl" ? "Write it into `<dt>` or `<dd>`." : "Write it into `<li>`.";
  const part = stranger.kind === "text" ? (firstShown(stranger.text) ?? "") : undefined;
  const shown = stranger.kind === "text" ? `"${part?.replaceAll(/\s+/g, " ").slice(0, 40)}"` : `<${stranger.name}>`;
  const message = `${shown} stands directly in <${list.name}>, which holds items: screen readers lose count of it, and clients place it as they like.`;
  return [{ message, at: stranger.at(part), hint }];
}

type Shown = Exclude<EmailNode, EmailComment>;

function isStranger(child: EmailNode, list: EmailElement): child is Shown {
  if (child.kind === "comment") return false;
  if (child.kind === "text") return firstShown(child.text) !== undefined;
  return MAY_STAND_IN[list.name]?.has(child.name) !== true;
}

/** Where nothing is around it, it may be a part of another document. */
function stray(item: EmailElement): Finding[] {
  const { name, parent } = item;
  if (parent === undefined || parent.name === "" || parent.attributes.has("role")) return [];
  // What stands wrongly in a list itself is told there.
  const isInList = LISTS.has(parent.parent?.name ?? "") && parent.name !== "li";
  if (HOLDERS[name]?.includes(parent.name) === true || isInList || parent.name.includes("-")) return [];
  const list = name === "li" ? "<ul> or <ol>" : "<dl>";
  const message = `<${name}> stands in <${parent.name}>, and not in a list: screen readers don't tell of it, and clients indent it as they like.`;
  return [{ message, at: item.at(), hint: `Put ${list} around the items.` }];
}
