import { documentWith, type BuiltInRule } from "../../rule.js";
import { formatVariables, TruthTable } from "../../truth/truth-table.js";

export const titleMissing: BuiltInRule = {
  id: "title-missing",
  severity: "info",
  isOptional: true,
  summary: "The HTML body has no title.",
  details:
    "The HTML body has no `<title>`, or one that is empty, always or with some variables. If the title is also the " +
    "subject, [filled-subject](filled-subject.md) reports it. This rule is off unless the configuration has " +
    '`check: { extends: "all" }`, or gives it a level.',
  why:
    "A browser shows the title if a client opens the email in a tab, and screen readers read it first: [WCAG " +
    "2.4.2, Page Titled](https://www.w3.org/WAI/WCAG22/Understanding/page-titled). It is a note, because most " +
    "clients use the subject instead.",
  fix:
    "Say what the email is about in `<title>`, in `<mj-title>` with MJML, or in `<title>` inside React Email's " +
    "`<Head>`. It is also the subject if `template.json` has none.",
  examples: {
    wrong: [
      `<!doctype html>
<html lang="en">
‸<head>
<meta charset="utf-8">
</head>
<body>
<p>Hello</p>
</body>
</html>`,
    ],
    right: [documentWith()],
  },
  checkTemplate(checked) {
    const { document, template } = checked;
    const head = document.first("head") ?? document.first("html");
    const title = document.named("title").find(({ parent }) => parent?.name !== "svg");
    if (!head) return [];
    const at = (title ?? head).at();
    const hint = "Write what the email is about in `<title>`, or in `<mj-title>`.";
    if (!title) return [{ message: "The body has no <title>.", at, hint }];
    if (title.text.trim() === "") return [{ message: "The <title> is empty.", at, hint }];
    // Without another subject, the title is the subject, and filled-subject reports it.
    const outcome =
      template.metadata.subject === undefined ? undefined : TruthTable.of(checked).blank({ text: title.text });
    return outcome ? [{ message: `With ${formatVariables(outcome.variables)} the <title> is empty.`, at, hint }] : [];
  },
};
