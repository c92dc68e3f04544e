import type { Severity } from "../../../diagnostic.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { hostOf, isExampleDomain } from "./address-parts.js";
import { shown } from "./address-rule.js";
import { type Address, addressesIn } from "./addresses.js";
import { addressesBeside } from "./addresses-beside.js";

export const placeholderAddress: Rule = {
  id: "placeholder-address",
  summary: "An address is at example.com or yourdomain.com, or an image is of a service for placeholders.",
  severity: "info",
  checkTemplate(checked) {
    const all = addressesOf(checked);
    const at = (isMeant: (domain: string) => boolean): Placed[] =>
      all.filter(({ forms }) => forms.some((form) => isMeant(domainOf(form))));
    return [
      ...tell(at(isExampleDomain), "is at a domain that is reserved for examples", "info"),
      ...tell(
        at((domain) => YOURS.test(domain)),
        "is at a domain that stands for one's own, and is somebody else's",
        "warning",
      ),
      ...tell(
        at((domain) => IMAGES.test(domain)),
        "is the image of a service for placeholders",
        "warning",
      ),
    ];
  },
};

type Placed = Pick<Address, "written" | "forms" | "at">;

/** Those of the html, and what only a hand-written text body has, or Outlook sees. */
function addressesOf(checked: CheckedTemplate): Placed[] {
  const { document } = checked;
  // Where images of `_assets` will be is the configuration's matter, not the template's.
  const inHtml = addressesIn(checked).filter(({ forms }) =>
    forms.some((form) => document.positionOf(domainOf(form)).line !== undefined),
  );
  const known = new Set(inHtml.flatMap(({ forms }) => forms));
  const beside = addressesBeside(checked)
    .filter(({ form }) => !known.has(form))
    .map(({ form, at }) => ({ written: form, forms: [form], at }));
  return [...inHtml, ...beside];
}

/** Not `myshop.com`, which is a name as good as any. */
const YOURS =
  /(?:^|\.)(?:your-?(?:domain|company|site|website|brand|business|store|shop|app|product|server|org|organi[sz]ation)|my-?(?:domain|company|site|website))(?:-?name)?\.(?:com|net|org|io|co|app)$/;

const IMAGES =
  /(?:^|\.)(?:placeholder\.com|placehold\.(?:it|co|jp)|placeholdit\.com|picsum\.photos|dummyimage\.com|fakeimg\.pl|placekitten\.com|lorempixel\.com|loremflickr\.com|placebear\.com|placeimg\.com)$/;

/** One finding tells of all. */
function tell([first, ...others]: readonly Placed[], what: string, severity: Severity): Finding[] {
  if (!first) return [];
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const hint = "Write the real address before this is sent.";
  return [{ severity, message: `${shown(first.written)}${more} ${what}.`, at: first.at(), hint }];
}

function domainOf(form: string): string {
  return hostOf(form) ?? /^mailto:[^@?]*@([^?,]*)/i.exec(form)?.[1]?.toLowerCase() ?? "";
}
