import type { Severity } from "../../../diagnostic.js";
import type { BuiltInRule } from "../../rule.js";
import { domainOf, isExampleDomain } from "../../lib/urls.js";
import { shortUrl, allAddresses } from "../../lib/addresses.js";

export const placeholderAddress: BuiltInRule = {
  id: "placeholder-address",
  severity: "info",
  summary: "A URL is on example.com or yourdomain.com, or an image comes from a placeholder service.",
  details:
    "A URL is on `example.com`, `example.net` or `example.org`. It is a warning if it is on a placeholder domain " +
    "such as `yourdomain.com`, or if an image comes from a placeholder service such as placehold.co.",
  why:
    "The first domains are reserved for examples ([RFC 2606](https://www.rfc-editor.org/rfc/rfc2606)) and show a " +
    "page that is of no use to recipients. `yourdomain.com` and the like belong to strangers. Each kind is " +
    "reported once per template, including its hand-written text body.",
  fix: "Use the real URL before you send the template, or take it from a variable.",
  examples: {
    wrong: [
      '<a ‸href="https://example.com/orders">Your order</a>',
      '<a ‸href="https://yourdomain.com/orders">Your order</a>',
      '<img ‸src="https://placehold.co/600x400" alt="Tea">',
    ],
    right: ['<a href="https://fernhill.coop/orders">Your order</a>'],
  },
  *checkTemplate(checked) {
    for (const [matches, problem, severity] of KINDS) {
      const addresses = allAddresses(checked).filter(({ element, forms }) =>
        forms.map(domainOf).some((domain) => {
          if (domain === undefined || !matches(domain)) return false;
          // The host of images in `_assets` comes from the configuration, not from the template.
          return !element || checked.document.positionOf(domain).line !== undefined;
        }),
      );
      const [first] = addresses;
      if (!first) continue;
      const others = new Set(addresses.map(({ written }) => written)).size - 1;
      yield {
        severity,
        message: `${shortUrl(first.written)}${others === 0 ? "" : ` (and ${others} more)`} ${problem}.`,
        at: first.at(),
        hint: "Use the real URL before you send this.",
      };
    }
  },
};

/** Not `myshop.com`, which may be a real name. */
const YOURS =
  /(?:^|\.)(?:your-?(?:domain|company|site|website|brand|business|store|shop|app|product|server|org|organi[sz]ation)|my-?(?:domain|company|site|website))(?:-?name)?\.(?:com|net|org|io|co|app)$/;

const IMAGES =
  /(?:^|\.)(?:placeholder\.com|placehold\.(?:it|co|jp)|placeholdit\.com|picsum\.photos|dummyimage\.com|fakeimg\.pl|placekitten\.com|lorempixel\.com|loremflickr\.com|placebear\.com|placeimg\.com)$/;

/** Each kind is reported once per template. */
const KINDS: readonly (readonly [matches: (domain: string) => boolean, problem: string, severity: Severity])[] = [
  [isExampleDomain, "is on a domain that is reserved for examples", "info"],
  [(domain) => YOURS.test(domain), "is on a placeholder domain, which belongs to someone else", "warning"],
  [(domain) => IMAGES.test(domain), "is an image from a placeholder service", "warning"],
];
