import type { Severity } from "../../../diagnostic.js";
import type { Finding, Rule } from "../../rule.js";
import { domainOf, isExampleDomain } from "./address-parts.js";
import { shown } from "./address-rule.js";
import { allAddresses } from "./addresses.js";

export const placeholderAddress: Rule = {
  id: "placeholder-address",
  summary: "An address is at example.com or yourdomain.com, or an image is of a service for placeholders.",
  severity: "info",
  checkTemplate: (checked) =>
    KINDS.flatMap(([isMeant, what, severity]): Finding[] => {
      const addresses = allAddresses(checked).filter(({ element, forms }) =>
        forms.map(domainOf).some((domain) => {
          if (domain === undefined || !isMeant(domain)) return false;
          // Where images of `_assets` will be is the configuration's matter, not the template's.
          return !element || checked.document.positionOf(domain).line !== undefined;
        }),
      );
      const [first] = addresses;
      if (!first) return [];
      const others = new Set(addresses.map(({ written }) => written)).size - 1;
      return [
        {
          severity,
          message: `${shown(first.written)}${others === 0 ? "" : ` (and ${others} more)`} ${what}.`,
          at: first.at(),
          hint: "Write the real address before this is sent.",
        },
      ];
    }),
};

/** Not `myshop.com`, which is a name as good as any. */
const YOURS =
  /(?:^|\.)(?:your-?(?:domain|company|site|website|brand|business|store|shop|app|product|server|org|organi[sz]ation)|my-?(?:domain|company|site|website))(?:-?name)?\.(?:com|net|org|io|co|app)$/;

const IMAGES =
  /(?:^|\.)(?:placeholder\.com|placehold\.(?:it|co|jp)|placeholdit\.com|picsum\.photos|dummyimage\.com|fakeimg\.pl|placekitten\.com|lorempixel\.com|loremflickr\.com|placebear\.com|placeimg\.com)$/;

/** One finding tells of all. */
const KINDS: readonly (readonly [isMeant: (domain: string) => boolean, what: string, severity: Severity])[] = [
  [isExampleDomain, "is at a domain that is reserved for examples", "info"],
  [(domain) => YOURS.test(domain), "is at a domain that stands for one's own, and is somebody else's", "warning"],
  [(domain) => IMAGES.test(domain), "is the image of a service for placeholders", "warning"],
];
