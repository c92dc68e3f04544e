import { stemOf } from "../../../project/template-name.js";
import type { BuiltInRule } from "../../rule.js";
import { formatVariables, TruthTable } from "../../truth/truth-table.js";

export const textEmpty: BuiltInRule = {
  id: "text-empty",
  severity: "warning",
  isSilencedByComments: false,
  summary: "The text body is empty.",
  details:
    "The text body is empty, always or with some variables. If it is derived from an HTML body without images, so " +
    "is the email.",
  why:
    "Watches, screen readers and clients that show only text get nothing, and filters score an email whose parts differ " +
    "([SpamAssassin, MPART_ALT_DIFF](https://spamassassin.apache.org/old/tests_3_3_x.html)).",
  fix:
    "If everything is in sections, add text for the case that none is shown. Otherwise write text into the body, " +
    "not only images, or write a text body by hand: `<name>.txt` next to the body.",
  examples: {
    wrong: [
      `<!doctype html>
<html lang="en">
<body>
<img src="https://shop.example/tea.png" alt="">
</body>
</html>`,
    ],
    right: ["<p>Your order is on its way.</p>"],
  },
  *checkTemplate(checked) {
    const { template, compiled, document } = checked;
    const at = { file: template.text?.file ?? template.body.file };
    const isEmpty = compiled.text_body.trim() === "";
    const outcome = isEmpty ? undefined : TruthTable.of(checked).blank({ text: compiled.text_body });
    const what = template.text || document.first("img") ? "the text body" : "the email";
    if (outcome)
      yield {
        message: `With ${formatVariables(outcome.variables)} ${what} is empty.`,
        at,
        hint: "Add text for that case, or rule the case out in the schema.",
      };
    if (isEmpty)
      yield {
        message: "The text body is empty: recipients who read email as text, on a watch or aloud, get nothing.",
        at,
        hint: template.text
          ? "Write it, or remove the file: the text is then derived from the HTML."
          : `Write what the images say into ${stemOf(template.name)}.txt, or as text into the body.`,
      };
  },
};
