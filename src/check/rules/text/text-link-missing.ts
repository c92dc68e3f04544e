import { hasSection, withPlainTags } from "../../../mustache/scan.js";
import { stemOf } from "../../../project/template-name.js";
import type { EmailElement } from "../../document/nodes.js";
import type { BuiltInRule, Finding } from "../../rule.js";
import { htmlTags, textTags } from "../../lib/variables.js";

export const textLinkMissing: BuiltInRule = {
  id: "text-link-missing",
  severity: "warning",
  summary: "The hand-written text body lacks the URL of a link in the HTML.",
  why:
    "Recipients who read the text can't get where the HTML leads, such as to the order or the settings. Links with only an " +
    "image are not checked. An email address or a phone number counts as present if its characters or last digits " +
    "are, and is a note otherwise.",
  fix: "Add the URL to `<name>.txt`, with a word on where it leads.",
  examples: {
    wrong: [
      {
        "order/order.html": '<a ‸href="https://shop.example/orders">Your order</a>',
        "order/order.txt": "Your order is on its way.",
      },
    ],
    right: [
      {
        "order/order.html": '<a href="https://shop.example/orders">Your order</a>',
        "order/order.txt": "Your order: https://shop.example/orders",
      },
    ],
  },
  checkTemplate(checked) {
    const { template, compiled, document } = checked;
    if (!template.text || compiled.text_body.trim() === "") return [];
    const text = comparable(compiled.text_body);
    const printed = new Set(textTags(checked).map(({ found, name }) => found?.path ?? name));
    const missing = new Map<string, Finding>();
    for (const link of document.named("a", "area")) {
      const address = link.attribute("href")?.trim() ?? "";
      if (missing.has(address) || !isNeeded(link, address)) continue;
      // A URL that is only a variable may be printed by another name inside a section.
      const variable = htmlTags(checked).find(
        ({ where, text: tag }) => where?.kind === "attribute" && where.element === link && tag === address,
      );
      if (variable ? printed.has(variable.found?.path ?? variable.name) : isIn(text, address)) continue;
      missing.set(address, {
        // Recipients can reply instead, and find phone numbers elsewhere.
        ...(isOfPerson(address) && { severity: "info" as const }),
        message: `The text body lacks the URL of "${link.text.replaceAll(/\s+/g, " ").trim()}", ${address}.`,
        at: link.atUse("href"),
        hint: `Add it to ${stemOf(template.name)}.txt.`,
      });
    }
    return missing.values();
  },
};

/** Phone numbers are written in many ways, so only their last digits are compared. */
function isIn(text: string, address: string): boolean {
  if (!/^(?:tel|sms):/i.test(address)) return text.includes(comparable(address.replace(/^(mailto:[^?]*).*/is, "$1")));
  const digits = (written: string): string => written.replaceAll(/[\s().\-/\u00A0\u2010-\u2015]/g, "");
  return digits(text).includes(digits(address).slice(-7));
}

/** Whether it is an email address or a phone number. */
function isOfPerson(address: string): boolean {
  return /^(?:mailto|tel|sms):/i.test(address);
}

/** Links without words lead to the home page, or to the same page as the words next to them. */
function isNeeded(link: EmailElement, address: string): boolean {
  return address !== "" && !/^(?:#|javascript:)/i.test(address) && link.text.trim() !== "" && !hasSection(address);
}

/** Without what people leave out of a text body, and with all tags written alike. */
function comparable(text: string): string {
  return withPlainTags(text)
    .replaceAll(/\b(?:https?:\/\/(?:www\.)?|mailto:|tel:|sms:)/gi, "")
    .replace(/\/$/, "")
    .toLowerCase();
}
