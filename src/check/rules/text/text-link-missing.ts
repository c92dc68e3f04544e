import { stemOf } from "../../../template/name.js";
import type { EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";
import { htmlTags, textTags } from "../../variables/tags.js";

export const textLinkMissing: Rule = {
  id: "text-link-missing",
  summary: "The hand-written text body lacks the address of a link of the html.",
  severity: "warning",
  checkTemplate(checked) {
    const { template, compiled, document } = checked;
    if (!template.text || compiled.text_body.trim() === "") return [];
    const text = comparable(compiled.text_body);
    const printed = new Set(textTags(checked).map(({ found, name }) => found?.path ?? name));
    const missing = new Map<string, Finding>();
    for (const link of document.named("a", "area")) {
      const address = link.attribute("href")?.trim() ?? "";
      if (missing.has(address) || !isToBeThere(link, address)) continue;
      // Where an address is a variable and nothing else, a text may print it in another scope.
      const variable = htmlTags(checked).find(
        ({ where, text: tag }) => where?.kind === "attribute" && where.element === link && tag === address,
      );
      if (variable ? printed.has(variable.found?.path ?? variable.name) : isIn(text, address)) continue;
      missing.set(address, {
        // Who reads a text can answer it, and finds a number in other places.
        ...(isOfPerson(address) && { severity: "info" as const }),
        message: `The text body lacks the address of "${link.text.replaceAll(/\s+/g, " ").trim()}", ${address}.`,
        at: link.atUse("href"),
        hint: `Add it to ${stemOf(template.name)}.txt.`,
      });
    }
    return missing.values();
  },
};

/** Numbers are written in many ways: the last digits tell them. */
function isIn(text: string, address: string): boolean {
  if (!/^(?:tel|sms):/i.test(address)) return text.includes(comparable(address.replace(/^(mailto:[^?]*).*/is, "$1")));
  const digits = (written: string): string => written.replaceAll(/[\s().\-/\u00A0\u2010-\u2015]/g, "");
  return digits(text).includes(digits(address).slice(-7));
}

/** A mail address or a telephone number. */
function isOfPerson(address: string): boolean {
  return /^(?:mailto|tel|sms):/i.test(address);
}

/** Pictures alone lead home, or to what the words beside them lead to. */
function isToBeThere(link: EmailElement, address: string): boolean {
  return (
    address !== "" && !/^(?:#|javascript:)/i.test(address) && link.text.trim() !== "" && !/\{\{\s*[#^]/.test(address)
  );
}

/** Without what a person leaves out in a text, and with tags in one form. */
function comparable(text: string): string {
  return text
    .replaceAll(/\{\{[{&]?\s*([^{}\s]+)\s*\}?\}\}/g, "{{$1}}")
    .replaceAll(/\b(?:https?:\/\/(?:www\.)?|mailto:|tel:|sms:)/gi, "")
    .replace(/\/$/, "")
    .toLowerCase();
}
