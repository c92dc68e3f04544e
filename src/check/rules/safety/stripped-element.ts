import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import type { BuiltInRule, Finding } from "../../rule.js";

export const strippedElement: BuiltInRule = {
  id: "stripped-element",
  severity: "error",
  summary:
    "A body has a script, a frame, an embedded object, a form, `<base>` or a redirect, which email clients strip.",
  details:
    "A body has a script, an `<iframe>`, `<object>`, `<embed>` or frame, a form or a field, `<base>`, or a " +
    'redirect by `<meta http-equiv="refresh">`.',
  why:
    "Email clients strip these, and spam filters count them: " +
    "[SpamAssassin](https://github.com/apache/spamassassin/tree/trunk/rules) with `HTML_IFRAME_SRC`, `HTML_EMBEDS` " +
    "and `HTML_FORMACTION_MAILTO`. No email client runs scripts. Without `<base>`, relative URLs lead nowhere. " +
    "Phishing uses redirects. Forms work in few clients " +
    "([caniemail.com](https://www.caniemail.com/features/html-form/)), and those that show them warn about them. " +
    "Forms and `<base>` are warnings, the others are errors.\n\n" +
    'Data for Gmail in `<script type="application/ld+json">` ([schema.org in ' +
    "emails](https://developers.google.com/gmail/markup)) is fine, and so are checkboxes outside a form that " +
    "toggle content with CSS, and the inputs of MJML's menus.",
  fix: "Link to a page with the form, the video or the script, and use absolute URLs.",
  examples: {
    wrong: ["‸<script>alert(1)</script>", '‸<form action="https://shop.example/rate"><input name="stars"></form>'],
    right: [
      '<a href="https://shop.example/rate">Rate your order</a>',
      '<script type="application/ld+json">{ "@type": "Order" }</script>',
    ],
  },
  checkTemplate: ({ document }) =>
    document.elements
      .filter((element) => isStripped(element) && isOwn(element, document) && !element.ancestors.some(isStripped))
      .map((element): Finding => ({ ...adviceOn(element), at: element.at() })),
};

/** Whether email clients strip this element. `client-unsupported` does not report these. */
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
      return (
        !/^\s*(?:checkbox|radio)\s*$/i.test(element.attribute("type") ?? "") ||
        ancestors.some((each) => each.name === "form")
      );
    default:
      return STRIPPED.has(name);
  }
}

const STRIPPED: ReadonlySet<string> = new Set(
  "base form select textarea button iframe object embed applet frame frameset bgsound".split(" "),
);
const FORM: ReadonlySet<string> = new Set("form input select textarea button".split(" "));

/** MJML generates inputs for a navbar's menu, an accordion or a carousel; those are not the user's. */
function isOwn(element: EmailElement, { isSited }: EmailDocument): boolean {
  if (isSited) return !/^mj-/i.test(element.writtenAs ?? "mj-");
  return !/(?:^|\s)mj-/.test(element.attribute("class") ?? "");
}

function adviceOn({ name }: EmailElement): Omit<Finding, "at"> {
  if (FORM.has(name))
    return {
      severity: "warning",
      message: `<${name}> does nothing in Outlook and some other clients, and email clients warn about forms in emails.`,
      hint: "Link to a page that has the form.",
    };
  const message = `<${name}> is stripped by email clients and raises spam scores.`;
  return ADVICE[name] ?? { message, hint: "Show an image that links to the page." };
}

const ADVICE: Readonly<Record<string, Omit<Finding, "at">>> = {
  script: {
    message: "Email clients don't run scripts, and spam filters reject emails that contain one.",
    hint: "Remove it, and link to a page that does the same.",
  },
  base: {
    severity: "warning",
    message: "Most email clients strip <base>, so links and images that rely on it lead nowhere.",
    hint: "Use absolute URLs.",
  },
  meta: { message: "An email that redirects people looks like phishing.", hint: "Remove it, and link to the page." },
};
