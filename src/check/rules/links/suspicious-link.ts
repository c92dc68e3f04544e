import { nearest } from "../../../text/nearest.js";
import type { EmailElement } from "../../document/nodes.js";
import type { Mistake, BuiltInRule, CheckedTemplate } from "../../rule.js";
import { domainOf, hostInText, hostOf, isSameSite, isUnknown, whyPrivate } from "../../lib/urls.js";
import { forEachAddress, shortUrl, allAddresses, type EmailUrl, type TextAddress } from "../../lib/addresses.js";

export const suspiciousLink: BuiltInRule = {
  id: "suspicious-link",
  severity: "warning",
  summary:
    "A link looks like phishing: it leads somewhere other than its text says, to a mistyped domain, an IP address or a program, or through a URL shortener.",
  details:
    "A link looks like phishing:\n\n" +
    "- its text is a URL, an email address or a phone number, but it leads somewhere else: `<a " +
    'href="https://b.example">https://a.example</a>`;\n' +
    "- its domain differs by one letter from the domain of the other links;\n" +
    "- its host is a number: `https://203.0.113.7/pay`;\n" +
    "- it uses a URL shortener such as bit.ly;\n" +
    "- it leads directly to a program: `.exe`, `.bat`, `.msi`.",
  why:
    "Filters and careful recipients take all of these for phishing. [Google's guidelines for " +
    "senders](https://support.google.com/mail/answer/81126) require links that show where they lead; " +
    "[SpamAssassin](https://github.com/apache/spamassassin/tree/trunk/rules) scores numbers with " +
    "`NUMERIC_HTTP_ADDR` and shorteners with `URL_SHORTENER`; [Gmail](https://support.google.com/mail/answer/6590) " +
    "blocks programs as attachments. A typo in your own domain sends recipients to whoever registered it. `www.` " +
    "and subdomains belong to the same site.",
  fix:
    "Link to the page itself, by its domain, and make the text name the same URL or describe the page. Let the " +
    "service add click tracking instead of writing it into the template.",
  examples: {
    wrong: [
      '<a ‸href="https://other.example/orders">https://shop.example/orders</a>',
      '<a ‸href="https://bit.ly/3xYz">Your order</a>',
      '<a ‸href="https://203.0.113.7/pay">Pay</a>',
      '<a ‸href="https://shop.example/setup.exe">Install</a>',
    ],
    right: [
      '<a href="https://shop.example/orders">https://shop.example/orders</a>',
      '<a href="https://www.shop.example/orders">shop.example</a>',
    ],
  },
  checkTemplate(checked) {
    const own = mostUsedSite(checked);
    return forEachAddress((form, address) => check(form, address, own))(checked);
  },
};

function check(form: string, address: EmailUrl | TextAddress, own: string | undefined): Mistake | undefined {
  if (isUnknown(form) || address.use === "resource") return undefined;
  const isLink = address.use === "link";
  const text = isLink && address.element?.name === "a" ? textOf(address.element) : "";
  if (leadsElsewhere(form, text))
    return {
      message: `The link's text is ${shortUrl(text)}, but it leads to ${shortUrl(form)}, as phishing links do.`,
      hint: "Make the text name the same URL, or describe in words where the link leads.",
    };
  const program = isLink ? PROGRAM.exec(form)?.[1]?.toLowerCase() : undefined;
  if (program !== undefined)
    return {
      message: `${shortUrl(form)} links directly to a program (.${program}): spam filters block such emails.`,
      hint: "Link to a page that offers the download.",
    };
  const host = hostOf(form);
  if (host === undefined) return undefined;
  if (NUMBERS.test(host) && whyPrivate(host) === undefined)
    return {
      message: `${shortUrl(form)} has a number as its host, as phishing links do, which raises spam scores.`,
      hint: "Use the domain name.",
    };
  if (isLink && SHORTENERS.has(host.replace(/^www\./, "")))
    return {
      message: `${shortUrl(form)} hides its target behind ${host}, as spam does, which raises spam scores.`,
      hint: "Link to the page itself.",
    };
  if (own === undefined || !isMistyped(siteOf(host), own)) return undefined;
  return {
    message: `${host} looks like a typo of ${own}, which the other links lead to.`,
    hint: "Fix the domain: phishing sites use such names.",
  };
}

const PROGRAM =
  /^[a-z]+:\/\/[^/?#]+\/[^?#]*\.(exe|bat|cmd|com|scr|pif|vbs|vbe|jse|wsf|ps1|hta|lnk|cpl|jar|msi|reg|iso|img)(?:[?#]|$)/i;

/** Browsers accept one to four numbers, each decimal, octal or hexadecimal. */
const NUMBERS = /^(?:\d{6,}|0x[0-9a-f]+|(?:\d+|0x[0-9a-f]+)(?:\.(?:\d+|0x[0-9a-f]+)){1,3}|[0-9a-f]*:[0-9a-f:]+)$/;

/** The most common ones of SpamAssassin's list. */
const SHORTENERS = new Set(
  "bit.ly bitly.com j.mp tinyurl.com goo.gl t.co ow.ly is.gd v.gd buff.ly rebrand.ly cutt.ly shorturl.at t.ly rb.gy tiny.cc bl.ink short.io adf.ly lnkd.in".split(
    " ",
  ),
);

/** The site that most URLs lead to, if at least two do. */
function mostUsedSite(checked: CheckedTemplate): string | undefined {
  const counts = new Map<string, number>();
  for (const { use, forms } of allAddresses(checked))
    for (const host of use === "resource" ? [] : forms.map(hostOf))
      if (host !== undefined) counts.set(siteOf(host), (counts.get(siteOf(host)) ?? 0) + 1);
  const [first, second] = [...counts].toSorted(([, a], [, b]) => b - a);
  return first && first[1] >= 2 && first[1] > (second?.[1] ?? 0) ? first[0] : undefined;
}

/** The last two labels of a host, or the last three for a suffix such as `co.uk`. */
function siteOf(host: string): string {
  return /[^.]+\.(?:(?:com?|org|net|gov|ac|edu)\.[a-z]{2}|[^.]+)$/.exec(host)?.[0] ?? host;
}

/** Whether a site differs from another by one letter of a long name. Different digits, as in `shop1` and `shop2`, are intended. */
function isMistyped(site: string, own: string): boolean {
  const [[label = "", ending], [ownLabel = "", ownEnding]] = [site.split(/\.(.*)/), own.split(/\.(.*)/)];
  const differs = label.replaceAll(/\d/g, "") !== ownLabel.replaceAll(/\d/g, "");
  return differs && ownLabel.length >= 6 && ending === ownEnding && nearest(label, [ownLabel], 1) !== undefined;
}

function leadsElsewhere(form: string, text: string): boolean {
  if (/^tel:/i.test(form)) {
    // The last digits are the same with and without a country code.
    const [named, meant] = [text, form].map((each) => each.replaceAll(/\D/g, "").slice(-6));
    return /^\+?[\d\s()./-]{8,}$/.test(text) && !form.includes("{{") && named !== meant;
  }
  const mail = /^mailto:/i.test(form) ? domainOf(`mailto:${text}`) : undefined;
  const [named, meant] = [hostInText(text) ?? mail, domainOf(form)];
  return named !== undefined && meant !== undefined && !isSameSite(named, meant);
}

function textOf(link: EmailElement): string {
  return link.text
    .replace(/[\u200B-\u200D\u2060\uFEFF\u00AD]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
