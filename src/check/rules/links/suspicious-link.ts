import { nearest } from "../../../nearest.js";
import type { EmailElement } from "../../document/nodes.js";
import type { Mistake } from "../../mistake.js";
import type { CheckedTemplate, Rule } from "../../rule.js";
import { hostOf, isSameSite, isUnknown } from "./address-parts.js";
import { forEachAddress, shown } from "./address-rule.js";
import { type Address, addressesIn } from "./addresses.js";
import { type AddressBeside, addressesBeside } from "./addresses-beside.js";
import { whyPrivate } from "./private-hosts.js";
import { hostInText, mailInText } from "./text-address.js";

export const suspiciousLink: Rule = {
  id: "suspicious-link",
  summary:
    "A link looks like phishing: it leads elsewhere than its text says, to a mistyped domain, a number or a program, or through a URL shortener.",
  severity: "warning",
  checkTemplate(checked) {
    const own = mostUsedSite(checked);
    return forEachAddress((form, address) => mistakeIn(form, address, own))(checked);
  },
};

function mistakeIn(form: string, address: Address | AddressBeside, own: string | undefined): Mistake | undefined {
  const isLink = address.use === "link";
  const text = isLink && address.element?.name === "a" ? textOf(address.element) : "";
  if (text !== "" && !isUnknown(form) && leadsElsewhere(form, text))
    return {
      message: `The link's text is ${shown(text)}, and it leads to ${shown(form)}: that is how phishing looks.`,
      hint: "Let the text name the address that it leads to, or say in words what is there.",
    };
  const program = isUnknown(form) || !isLink ? undefined : PROGRAM.exec(form)?.[1]?.toLowerCase();
  if (program !== undefined)
    return {
      message: `${shown(form)} leads straight to a program (.${program}): filters hold such emails back.`,
      hint: "Link to a page that offers the download.",
    };
  const host = hostOf(form);
  if (host === undefined || address.use === "resource") return undefined;
  if (NUMBERS.test(host) && whyPrivate(host) === undefined)
    return {
      message: `${shown(form)} names its host by a number, as phishing does: that raises spam scores.`,
      hint: "Write the host's domain.",
    };
  if (isLink && SHORTENERS.has(host.replace(/^www\./, "")))
    return {
      message: `${shown(form)} hides where it leads behind ${host}, as spam does: that raises spam scores.`,
      hint: "Link to the page itself.",
    };
  if (own === undefined || !isMistyped(siteOf(host), own)) return undefined;
  return {
    message: `${host} looks like ${own}, which the other links lead to: that is how phishing looks.`,
    hint: "Link to the domain that is meant.",
  };
}

const PROGRAM =
  /^[a-z]+:\/\/[^/?#]+\/[^?#]*\.(exe|bat|cmd|com|scr|pif|vbs|vbe|jse|wsf|ps1|hta|lnk|cpl|jar|msi|reg|iso|img)(?:[?#]|$)/i;

/** Browsers take one to four numbers, each of them decimal, octal or hexadecimal. */
const NUMBERS = /^(?:\d{6,}|0x[0-9a-f]+|(?:\d+|0x[0-9a-f]+)(?:\.(?:\d+|0x[0-9a-f]+)){1,3}|[0-9a-f]*:[0-9a-f:]+)$/;

/** Those that SpamAssassin's own list begins with, and the most used besides. */
const SHORTENERS = new Set(
  "bit.ly bitly.com j.mp tinyurl.com goo.gl t.co ow.ly is.gd v.gd buff.ly rebrand.ly cutt.ly shorturl.at t.ly rb.gy tiny.cc bl.ink short.io adf.ly lnkd.in soo.gd s2r.co clicky.me u.to qr.ae x.co tr.im cli.gs snipurl.com".split(
    " ",
  ),
);

/** The site that at least two links lead to, and more than to any other. */
function mostUsedSite(checked: CheckedTemplate): string | undefined {
  const forms = [
    ...addressesIn(checked).flatMap(({ use, forms: all }) => (use === "resource" ? [] : all)),
    ...addressesBeside(checked).map(({ form }) => form),
  ];
  const counts = new Map<string, number>();
  for (const form of forms) {
    const host = hostOf(form);
    const site = host === undefined ? undefined : siteOf(host);
    if (site !== undefined) counts.set(site, (counts.get(site) ?? 0) + 1);
  }
  const [first, second] = [...counts].toSorted(([, a], [, b]) => b - a);
  return first && first[1] >= 2 && first[1] > (second?.[1] ?? 0) ? first[0] : undefined;
}

/** The last two labels, or three where the last two are an ending, as in `shop.co.uk`. */
function siteOf(host: string): string {
  const labels = host.split(".");
  const isEnding = /^(?:com?|org|net|gov|ac|edu)$/.test(labels.at(-2) ?? "") && labels.at(-1)?.length === 2;
  return labels.slice(isEnding ? -3 : -2).join(".");
}

/** Whether a site differs from another by one letter of a longer name. */
function isMistyped(site: string, own: string): boolean {
  const [[label = "", ...ending], [ownLabel = "", ...ownEnding]] = [site.split("."), own.split(".")];
  const isAlike = ownLabel.length >= 6 && ending.join(".") === ownEnding.join(".") && label !== ownLabel;
  // `shop1` and `shop2` are two on purpose.
  return (
    isAlike &&
    label.replaceAll(/\d/g, "") !== ownLabel.replaceAll(/\d/g, "") &&
    nearest(label, [ownLabel], 1) !== undefined
  );
}

/** Of a number, the part that is the same however it is dialled. */
const OWN_DIGITS = 6;
const NUMBER = /^\+?[\d\s()./-]{8,}$/;

function leadsElsewhere(form: string, text: string): boolean {
  if (/^tel:/i.test(form)) {
    const [named, meant] = [text, form].map((each) => each.replaceAll(/\D/g, "").slice(-OWN_DIGITS));
    return NUMBER.test(text) && /^tel:[+\d\s().-]+$/i.test(form) && named !== meant;
  }
  if (/^mailto:/i.test(form)) {
    const [named, meant] = [mailInText(text), mailInText(addressedTo(form))];
    if (named !== undefined || meant === undefined) return named !== meant && meant !== undefined;
    const host = hostInText(text);
    return host !== undefined && !isSameSite(host, meant.split("@")[1] ?? "");
  }
  const [named, meant] = [hostInText(text), hostOf(form)];
  return named !== undefined && meant !== undefined && !isSameSite(named, meant);
}

/** The address of a `mailto:`, without the spaces and the `;` that another rule tells of. */
function addressedTo(form: string): string {
  const [addresses = ""] = form.slice("mailto:".length).split("?");
  return addresses.replace(/[\s;,]+$/, "").trim();
}

function textOf(link: EmailElement): string {
  return link.text
    .replace(/[\u200B-\u200D\u2060\uFEFF\u00AD]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
