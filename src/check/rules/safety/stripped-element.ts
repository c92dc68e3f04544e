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

/** Whether mail clients strip an element with all that it does; `client-unsupported` leaves it to this rule. */
export function isStripped(element: EmailElement): boolean {
  const { name, ancestors } = element;
  switch (name) {
    case "meta":
      return element.attribute("http-equiv")?.trim().toLowerCase() === "refresh";
    case "script":
      // Gmail reads an order's data there.
      return element.attribute("type")?.trim().toLowerCase() !== "application/ld+json";
    case "input":
      // Boxes outside of forms show and hide parts of an email by CSS alone.
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

/** MJML makes inputs by itself, for the menu of a navbar, an accordion or the images of a carousel. */
function isOwn(element: EmailElement, { isSited }: EmailDocument): boolean {
  if (isSited) return !/^mj-/i.test(element.writtenAs ?? "mj-");
  return !/(?:^|\s)mj-/.test(element.attribute("class") ?? "");
}

function adviceOn({ name }: EmailElement): Omit<Finding, "at"> {
  if (FORM.has(name))
    return {
      severity: "warning",
      message: `<${name}> does nothing in Outlook and others, and mail clients warn of forms in emails.`,
      hint: "Link to a page that has the form.",
    };
  switch (name) {
    case "script":
      return {
        message: "Mail clients run no scripts, and filters refuse emails that have one.",
        hint: "Remove it, and link to a page that does what it did.",
      };
    case "base":
      return {
        severity: "warning",
        message: "Most mail clients strip <base>, so links and images that rely on it lead nowhere.",
        hint: "Write whole URLs.",
      };
    case "meta":
      return {
        message: "An email that redirects its reader is taken for phishing.",
        hint: "Remove it, and link to the page.",
      };
    default:
      return {
        message: `<${name}> is stripped by mail clients and raises spam scores.`,
        hint: "Show an image that links to the page.",
      };
  }
}
