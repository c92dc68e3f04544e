import type { Rule } from "../../rule.js";
import { decoded } from "./address-parts.js";
import { forEachAddress, shown } from "./address-rule.js";

export const anchorMissing: Rule = {
  id: "anchor-missing",
  summary: "A link points to an anchor that does not exist in the email.",
  severity: "warning",
  checkTemplate(checked) {
    const anchors = checked.document.elements.flatMap(({ attributes }) =>
      ["id", "name"].flatMap((name) => attributes.get(name)?.trim() ?? []),
    );
    // A tag may print any anchor.
    if (anchors.some((anchor) => anchor.includes("{{"))) return [];
    const check = forEachAddress((form, { use, element }) => {
      const [, name] = /^#(?!(?:|!|top)$|.*\{\{)(.*)$/s.exec(form) ?? [];
      // MJML's carousel adds such links.
      const isMadeByMjml = /(?:^|\s)mj-/.test(element?.attribute("class") ?? "");
      if (name === undefined || use !== "link" || isMadeByMjml) return undefined;
      if (anchors.includes(name) || anchors.includes(decoded(name))) return undefined;
      return {
        message: `${shown(form)} points to an element with the id "${name}", which does not exist in the email.`,
        hint: `Add \`id="${name}"\` to the target element, or use a full URL.`,
      };
    });
    return check(checked);
  },
};
