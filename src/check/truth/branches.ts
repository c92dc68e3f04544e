import { scan } from "../../mustache/scan.js";
import type { EmailDocument } from "../document/email-document.js";
import type { EmailElement, EmailNode } from "../document/nodes.js";
import type { CheckedTemplate } from "../rule.js";
import { TruthTable } from "./truth-table.js";

/** The sections around an element, outermost first, each as `#name` or `^name`. */
export type Branch = readonly string[];

/**
 * The sections around each element.
 *
 * @example
 * branches(document).get(heading); // ["#order", "^order.paid"]
 */
export function branches(document: EmailDocument): ReadonlyMap<EmailElement, Branch> {
  const read = known.get(document) ?? readBranches(document);
  known.set(document, read);
  return read;
}

/** Shared by several rules. */
const known = new WeakMap<EmailDocument, ReadonlyMap<EmailElement, Branch>>();

function readBranches(document: EmailDocument): Map<EmailElement, Branch> {
  const read = new Map<EmailElement, Branch>();
  const open: string[] = [];
  const visit = (node: EmailNode): void => {
    if (node.kind === "comment") return;
    if (node.kind === "text") {
      for (const { kind, name } of scan(node.text).tags) {
        if (kind === "close") open.pop();
        else if (kind === "section" || kind === "inverted") open.push((kind === "section" ? "#" : "^") + name);
      }
      return;
    }
    read.set(node, [...open]);
    node.children.forEach(visit);
  };
  visit(document.root);
  return read;
}

/** Whether elements in two branches are never shown together: for example, in a section and in its inverse. */
export function areExclusive(checked: CheckedTemplate, ...both: readonly [Branch, Branch]): boolean {
  if (both.some((around) => around.length === 0)) return false;
  const parts = both.map((around) => ({ text: "", around }));
  return !TruthTable.of(checked).find(parts, (texts) => texts.every((times) => times.length > 0));
}

/** Whether an element in `branch` is shown whenever one in `other` is. */
export function isImpliedBy(branch: Branch, other: Branch): boolean {
  return branch.every((section) => other.includes(section));
}
