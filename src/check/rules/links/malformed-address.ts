import type { BuiltInRule } from "../../rule.js";
import { whyMalformed, withTagsAsLetters } from "../../lib/urls.js";
import { forEachAddress, shortUrl, isImage } from "../../lib/addresses.js";

export const malformedAddress: BuiltInRule = {
  id: "malformed-address",
  severity: "error",
  summary: "A URL is malformed, so it leads nowhere or to the wrong place.",
  details:
    "A URL is malformed: `https:/shop.example`, `htps://…`, `https://https://…`, a space in it, `mailto:` without " +
    "a recipient or with `&` instead of `?`, `tel:` with letters, a host before an `@` with another host after it, " +
    "or a domain that ends in `.con` or `.cmo`.\n\n" +
    "It is a warning for a second `?`, a `%` that encodes nothing, `ftp:`, spaces in the subject of a `mailto:`, " +
    "an image URL that ends in `.pgn` or `.html`, campaign parameters after `&` without a `?`, and `undefined` or " +
    "`null` as a part of the URL.",
  why:
    "Email clients open something else, or nothing. The rule follows [RFC " +
    "3986](https://www.rfc-editor.org/rfc/rfc3986), [RFC 6068](https://www.rfc-editor.org/rfc/rfc6068) (`mailto:`) " +
    "and [RFC 3966](https://www.rfc-editor.org/rfc/rfc3966) (`tel:`). What comes before an `@` is a user name, so " +
    "`https://shop.example@other.example/` leads to `other.example`. Mustache tags are assumed to fit. Schemes of " +
    "applications, such as `slack:`, are fine.",
  fix: "Correct the URL. Write spaces as `%20`, and escape `&` as `&amp;` once.",
  examples: {
    wrong: [
      '<a ‸href="https:/shop.example/orders">Your order</a>',
      '<a ‸href="htps://shop.example/orders">Your order</a>',
      '<a ‸href="mailto:ada@shop.example&amp;subject=Hi">Write to us</a>',
      '<img ‸src="https://shop.example/logo.pgn" alt="Fernhill">',
    ],
    right: [
      '<a href="https://shop.example/orders?id={{id}}">Your order</a>',
      '<a href="mailto:ada@shop.example?subject=Hi">Write to us</a>',
    ],
  },
  checkTemplate: forEachAddress((form, address) => {
    const reason = whyMalformed(form);
    if (reason !== undefined)
      return {
        message: `${shortUrl(form)} is not a valid URL: ${reason}.`,
        hint: "Fix it: whoever opens it gets an error, or nothing at all.",
      };
    const plain = withTagsAsLetters(form);
    const warnings = isImage(address) ? [...WARNINGS, ...IMAGE_WARNINGS] : WARNINGS;
    const [, problem, hint] = warnings.find(([pattern]) => pattern.test(plain)) ?? [];
    return problem === undefined || hint === undefined
      ? undefined
      : { severity: "warning", message: `${shortUrl(form)} ${problem}.`, hint };
  }),
};

/** What is wrong with a valid URL, following the URL in the message. */
const WARNINGS: readonly (readonly [pattern: RegExp, problem: string, hint: string])[] = [
  [/^mailto:[^?]*\?.*\s/is, "contains a space, where some email clients stop", "Encode spaces as %20."],
  [/^ftps?:/i, "uses ftp:, which browsers no longer open", "Use https://."],
  [
    /^https?:[^?#]*&utm_\w+=/i,
    "has its utm parameters in the path",
    'Put "?" before the first parameter, and "&" before the others.',
  ],
  [
    /^https?:[^?#]*\?[^:#]*\?[\w.-]+=/i,
    'has a second "?", which becomes part of a value',
    'Separate parameters with "&".',
  ],
  [
    /^https?:.*%(?![\da-f]{2}|x)/i,
    'contains a "%" that encodes nothing, which servers may reject',
    "Encode a literal % as %25.",
  ],
  [
    /^https?:.*[/=](?:undefined|null|NaN|\[object(?:%20|\+)Object\]|%5Bobject(?:%20|\+)Object%5D)(?=$|[/?#&])/i,
    "contains what programs print for a missing value",
    "Write the value, or a tag.",
  ],
];

const IMAGE_WARNINGS: typeof WARNINGS = [
  [
    /^https?:\/\/[^/]+\/[^?#]*\.html?(?:[?#]|$)/i,
    "is a page, so clients show a broken image",
    "Use the URL of the image.",
  ],
  [
    /\/[^?#]*\.(?:pgn|npg|pngg|gfi|giff|jepg|jpge|jgp|pjg|jpgg|jpegg|wepb|sgv)(?:[?#]|$)/i,
    "looks like it has a typo in the file extension",
    "Use .png, .jpg, .gif, .webp or .svg.",
  ],
];
