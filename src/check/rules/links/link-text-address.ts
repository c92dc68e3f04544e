import type { EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";
import { hostOf, isSameSite, isUnknown } from "./address-parts.js";
import { shown } from "./address-rule.js";
import { type Address, addressesIn } from "./addresses.js";
import { hostInText, mailInText } from "./text-address.js";

export const linkTextAddress: Rule = {
  id: "link-text-address",
  summary: "A link's text is an address or a number, and the link leads to another.",
  severity: "warning",
  checkTemplate: ({ document }) => addressesIn(document).flatMap(checkLink),
};

function checkLink({ use, element, forms, atUse }: Address): Finding[] {
  if (use !== "link" || element.name !== "a") return [];
  const text = textOf(element);
  const differing = forms.find((form) => !isUnknown(form) && isOther(form, text));
  if (differing === undefined) return [];
  return [
    {
      message: `The link's text is ${shown(text)}, and it leads to ${shown(differing)}: that is how phishing looks.`,
      at: atUse(),
      hint: "Let the text name the address that it leads to, or say in words what is there.",
    },
  ];
}

/** Of a number, the part that is the same however it is dialled. */
const OWN_DIGITS = 6;
const NUMBER = /^\+?[\d\s()./-]{8,}$/;

function isOther(form: string, text: string): boolean {
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
