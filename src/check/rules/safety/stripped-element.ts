import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";

export const strippedElement: Rule = {
  id: "stripped-element",
  summary:
    "A body has a script, a frame, an embedded object, a form, `<base>` or a redirect, which mail clients strip.",
  severity: "error",
  checkTemplate: ({ document }) =>
    document.elements
      .filter((element) => isStripped(element) && isOwn(element, document) && !element.ancestors.some(isStripped))
      .map((element): Finding => ({ ...adviceOn(element), at: element.at() })),
};

/** Whether mail clients strip this element. `client-unsupported` does not report these. */
export function isStripped(element: EmailElement): boolean {
  const { name, ancestors } = element;
  switch (name) {
    case "meta":
      return element.attribute("http-equiv")?.trim().toLowerCase() === "refresh";
    case "script":
      // Gmail reads structured data there.
      return element.attribute("type")?.trim().toLowerCase() !== "application/ld+json";
    case "input":
      // Checkboxes outside forms toggle parts of an email with CSS alone.
      return !/^\s*(?:checkbox|radio)\s*$/i.test(element.attribute("type") ?? "") || ancestors.some(isForm);
    default:
      return STRIPPED.has(name);
  }
}

const STRIPPED: ReadonlySet<string> = new Set(
  "base form select textarea button iframe object embed applet frame frameset bgsound".split(" "),
);
const FORM: ReadonlySet<string> = new Set("form input select textarea button".split(" "));

function isForm({ name }: EmailElement): boolean {
  return name === "form";
}

/** MJML generates inputs for a navbar's menu, an accordion or a carousel; those are not the user's. */
function isOwn(element: EmailElement, { isSited }: EmailDocument): boolean {
  if (isSited) return !/^mj-/i.test(element.writtenAs ?? "mj-");
  return !/(?:^|\s)mj-/.test(element.attribute("class") ?? "");
}

function adviceOn({ name }: EmailElement): Omit<Finding, "at"> {
  if (FORM.has(name))
    return {
      severity: "warning",
      message: `<${name}> does nothing in Outlook and some other clients, and mail clients warn about forms in emails.`,
      hint: "Link to a page that has the form.",
    };
  switch (name) {
    case "script":
      return {
        message: "Mail clients don't run scripts, and spam filters reject emails that contain one.",
        hint: "Remove it, and link to a page that does the same.",
      };
    case "base":
      return {
        severity: "warning",
        message: "Most mail clients strip <base>, so links and images that rely on it lead nowhere.",
        hint: "Use absolute URLs.",
      };
    case "meta":
      return {
        message: "An email that redirects people looks like phishing.",
        hint: "Remove it, and link to the page.",
      };
    default:
      return {
        message: `<${name}> is stripped by mail clients and raises spam scores.`,
        hint: "Show an image that links to the page.",
      };
  }
}
