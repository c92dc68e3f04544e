import type { Rule } from "../../rule.js";
import { decoded } from "./address-parts.js";
import { forEachAddress, shown } from "./address-rule.js";

export const anchorMissing: Rule = {
  id: "anchor-missing",
  summary: "A link leads to a place in the mail that is not there.",
  severity: "warning",
  checkTemplate(checked) {
    const places = checked.document.elements.flatMap(({ attributes }) =>
      ["id", "name"].flatMap((name) => attributes.get(name)?.trim() ?? []),
    );
    // A tag decides later.
    if (places.some((place) => place.includes("{{"))) return [];
    const check = forEachAddress((form, { use, element }) => {
      const [, name] = /^#(?!(?:|!|top)$|.*\{\{)(.*)$/s.exec(form) ?? [];
      // MJML's carousel makes such links by itself.
      const isOfMjml = /(?:^|\s)mj-/.test(element?.attribute("class") ?? "");
      if (name === undefined || use !== "link" || isOfMjml) return undefined;
      if (places.includes(name) || places.includes(decoded(name))) return undefined;
      return {
        message: `${shown(form)} leads to an element with the id "${name}", and there is none in the mail.`,
        hint: `Add \`id="${name}"\` to where it should lead, or write a whole address.`,
      };
    });
    return check(checked);
  },
};
