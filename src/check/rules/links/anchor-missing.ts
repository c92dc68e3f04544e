import type { EmailElement } from "../../document/nodes.js";
import type { Rule } from "../../rule.js";
import { forEachAddress, shown } from "./address-rule.js";

export const anchorMissing: Rule = {
  id: "anchor-missing",
  summary: "A link leads to a place in the mail that is not there.",
  severity: "warning",
  checkTemplate(checked) {
    const places = new Set(
      checked.document.elements.flatMap(({ attributes }) =>
        ["id", "name"].flatMap((name) => attributes.get(name)?.trim() ?? []),
      ),
    );
    const isDecidedLater = [...places].some((place) => place.includes("{{"));
    const check = forEachAddress((form, { use, element }) => {
      const name = /^#(?!$)(.*)$/s.exec(form)?.[1];
      if (!element || use !== "link" || name === undefined || name === "!" || name === "top" || name.includes("{{"))
        return undefined;
      // MJML's carousel makes such links by itself.
      if (/(?:^|\s)mj-/.test(element.attribute("class") ?? "") || isOfCarousel(element)) return undefined;
      if (isDecidedLater || places.has(name) || places.has(decoded(name))) return undefined;
      return {
        message: `${shown(form)} leads to an element with the id "${name}", and there is none in the mail.`,
        hint: `Add \`id="${name}"\` to where it should lead, or write a whole address.`,
      };
    });
    return check(checked);
  },
};

function isOfCarousel(element: EmailElement): boolean {
  const placed = [element, ...element.ancestors].find(({ place }) => place);
  return /^mj-carousel/i.test(placed?.writtenAs ?? "");
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
