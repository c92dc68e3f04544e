import { clientsOf } from "../../client-support/clients.js";
import { readCss } from "../../css/read-css.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";

/** Bytes of CSS that Gmail keeps, of all `<style>` elements together. */
const GMAIL_KEEPS = 16 * 1024;

export const gmailStyles: Rule = {
  id: "gmail-styles",
  summary: "Gmail drops a `<style>` element, and with it all that it says.",
  severity: "warning",
  *checkTemplate({ document, settings }) {
    if (!clientsOf(settings.clients).some((client) => client.startsWith("gmail."))) return;
    let bytes = 0;
    let isFull = false;
    for (const element of document.named("style")) {
      bytes += Buffer.byteLength(element.text);
      if (!hasRules(element, document) || isMeantForOthers(element)) continue;
      const nested = nestedAtRule(element, document);
      if (nested) yield nested;
      else if (element.place !== undefined && element.ancestors.some(({ name }) => name === "body"))
        yield {
          message: "Gmail drops a `<style>` element that stands in the `<body>`.",
          at: element.at(),
          hint: "Move it into the `<head>`.",
        };
      else if (bytes > GMAIL_KEEPS && !isFull) {
        isFull = true;
        yield {
          message: `Up to here, the \`<style>\` elements have ${shown(bytes)} bytes: Gmail keeps ${shown(GMAIL_KEEPS)} of them, and drops the element that goes beyond.`,
          at: element.at(),
          hint: "Take out what no element uses, write styles into the elements, or put those for narrow screens and dark mode into a `<style>` element before the others.",
        };
      }
    }
  },
};

/** The `<style>` elements that Gmail drops for what is in them, or for their length. */
export function droppedByGmail(document: EmailDocument): ReadonlySet<EmailElement> {
  let bytes = 0;
  return new Set(
    document.named("style").filter((element) => {
      bytes += Buffer.byteLength(element.text);
      return bytes > GMAIL_KEEPS || isMeantForOthers(element) || nestedAtRule(element, document) !== undefined;
    }),
  );
}

/** Gmail shows no web fonts: an element that has nothing else is not missed. */
function hasRules(element: EmailElement, { styleRules }: EmailDocument): boolean {
  return styleRules.some((rule) => rule.element === element);
}

/** MJML's accordion and carousel, which Gmail can't show, have Gmail drop their styles: `@goodbye { @gmail }`. */
function isMeantForOthers({ text }: EmailElement): boolean {
  return /@goodbye\s*\{\s*@gmail\b/i.test(text);
}

function nestedAtRule(element: EmailElement, document: EmailDocument): Finding | undefined {
  if (!element.text.includes("@")) return undefined;
  const { atRules, unclosed = Infinity } = readCss(element.text, "sheet");
  const nested = atRules.find(({ within, offset }) => within !== undefined && offset < unclosed);
  return (
    nested && {
      message: `\`@${nested.name}\` stands within \`${nested.within}\`: Gmail drops the whole \`<style>\` element for it.`,
      at: document.positionWithin(element.text, nested.offset) ?? element.at(),
      hint: "Join the conditions: `@media screen and (max-width: 480px)`; or give it a `<style>` element of its own, after the others.",
    }
  );
}

function shown(bytes: number): string {
  return bytes.toLocaleString("en-US");
}
