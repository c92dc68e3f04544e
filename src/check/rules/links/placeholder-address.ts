import type { Severity } from "../../../diagnostic.js";
import type { Finding, Rule } from "../../rule.js";
import { hostOf, isExampleDomain } from "./address-parts.js";
import { shown } from "./address-rule.js";
import { type Address, addressesIn } from "./addresses.js";

export const placeholderAddress: Rule = {
  id: "placeholder-address",
  summary: "An address is at example.com, which is nobody's, or an image is of a service for placeholders.",
  severity: "info",
  checkTemplate({ document }) {
    // Where images of `_assets` will be is the configuration's matter, not the template's.
    const addresses = addressesIn(document).filter(({ forms }) =>
      forms.some((form) => document.positionOf(domainOf(form)).line !== undefined),
    );
    const examples = addresses.filter(({ forms }) => forms.some((form) => isExampleDomain(domainOf(form))));
    const images = addresses.filter(({ forms }) => forms.some((form) => IMAGES.test(domainOf(form))));
    return [
      ...tell(examples, "is at a domain that is reserved for examples", "info"),
      ...tell(images, "is the image of a service for placeholders", "warning"),
    ];
  },
};

const IMAGES =
  /(?:^|\.)(?:placeholder\.com|placehold\.(?:it|co|jp)|placeholdit\.com|picsum\.photos|dummyimage\.com|fakeimg\.pl|placekitten\.com|lorempixel\.com|loremflickr\.com|placebear\.com|placeimg\.com)$/;

/** One finding tells of all. */
function tell([first, ...others]: readonly Address[], what: string, severity: Severity): Finding[] {
  if (!first) return [];
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const hint = "Write the real address before this is sent.";
  return [{ severity, message: `${shown(first.written)}${more} ${what}.`, at: first.at(), hint }];
}

function domainOf(form: string): string {
  return hostOf(form) ?? /^mailto:[^@?]*@([^?,]*)/i.exec(form)?.[1]?.toLowerCase() ?? "";
}
