import type { EmailDocument } from "../document/email-document.js";
import type { EmailElement, EmailNode } from "../document/nodes.js";
import type { CheckedTemplate } from "../rule.js";
import { TruthTable } from "./truth-table.js";

/** The sections around an element, outermost first, each as `#name` or `^name`. */
export type Branch = readonly string[];

/**
 * In which sections elements stand.
 *
 * @example
 * branches(document).get(heading); // ["#order", "^order.paid"]
 */
export function branches(document: EmailDocument): ReadonlyMap<EmailElement, Branch> {
  const branch = known.get(document) ?? readBranches(document);
  known.set(document, branch);
  return branch;
}

/** Several rules ask, one after the other. */
const known = new WeakMap<EmailDocument, ReadonlyMap<EmailElement, Branch>>();

function readBranches(document: EmailDocument): Map<EmailElement, Branch> {
  const found = new Map<EmailElement, Branch>();
  const open: string[] = [];
  const visit = (node: EmailNode): void => {
    if (node.kind === "comment") return;
    if (node.kind === "text") {
      for (const [, kind = "", name = ""] of node.text.matchAll(/\{\{\s*([#^/])\s*([^}\s]+)\s*\}\}/g)) {
        if (kind === "/") open.pop();
        else open.push(kind + name);
      }
      return;
    }
    found.set(node, [...open]);
    node.children.forEach(visit);
  };
  visit(document.root);
  return found;
}

/** Whether elements in two places can never be shown together: one is in a section, say, the other in its opposite. */
export function areExclusive(checked: CheckedTemplate, ...places: readonly [Branch, Branch]): boolean {
  if (places.some((around) => around.length === 0)) return false;
  const parts = places.map((around) => ({ text: "", around }));
  return !TruthTable.of(checked).find(parts, (texts) => texts.every((times) => times.length > 0));
}

/** Whether an element is always there where another is. */
export function isImpliedBy(branch: Branch, other: Branch): boolean {
  return branch.every((section) => other.includes(section));
}
