import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";

/**
 * The elements of these names that a user wrote, or a component of theirs: MJML makes inputs and labels by itself, for the
 * menu of a navbar, an accordion or the pictures of a carousel.
 */
export function ownElements(document: EmailDocument, ...names: readonly string[]): EmailElement[] {
  const all = document.named(...names);
  if (document.isSited) return all.filter(({ writtenAs = "mj-" }) => !/^mj-/i.test(writtenAs));
  return all.filter((element) => !/(?:^|\s)mj-/.test(element.attribute("class") ?? ""));
}
