import type { Rule } from "../../rule.js";
import { isUnknown } from "../links/address-parts.js";
import { forEachAddress, shown } from "../links/address-rule.js";

const EXECUTABLE =
  /^[a-z]+:\/\/[^/?#]+\/[^?#]*\.(exe|bat|cmd|com|scr|pif|vbs|vbe|jse|wsf|ps1|hta|lnk|cpl|jar|msi|reg|iso|img)(?:[?#]|$)/i;

export const executableLink: Rule = {
  id: "executable-link",
  summary: "A link leads straight to a program.",
  severity: "warning",
  checkTemplate: forEachAddress((form, { use }) => {
    const ending = isUnknown(form) || use !== "link" ? undefined : EXECUTABLE.exec(form)?.[1]?.toLowerCase();
    if (ending === undefined) return undefined;
    return {
      message: `${shown(form)} leads straight to a program (.${ending}): filters hold such mails back.`,
      hint: "Link to a page that offers the download.",
    };
  }),
};
