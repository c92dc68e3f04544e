import path from "node:path";
import type { SourcePosition } from "../../../diagnostic.js";
import { jsonPosition } from "../../../project/source-file.js";
import type { Template } from "../../../project/template.js";
import { documentWith, type BuiltInRule } from "../../rule.js";

export const subjectMissing: BuiltInRule = {
  id: "subject-missing",
  severity: "warning",
  isSilencedByComments: false,
  summary: "A template has no subject.",
  details: "The template has no subject.",
  why: "Every send has to pass one.",
  fix: "Add `subject` to `template.json`, or a title to the body.",
  examples: {
    wrong: [
      `<!doctype html>
<html lang="en">
<body>
<p>Hello</p>
</body>
</html>`,
    ],
    right: [
      documentWith(),
      { "order/order.html": "<p>Hello</p>", "order/template.json": '{ "subject": "Your order" }' },
    ],
  },
  *checkTemplate({ template, compiled }) {
    if (compiled.subject.trim() === "")
      yield {
        message: "The template has no subject, so every send has to pass one.",
        at: placeIn(template),
        hint: hintFor(template),
      };
  },
};

function hintFor({ engine, body, folder, root, name }: Template): string {
  const inBody = engine === "react" ? "export const subject = `…` in the component" : "a title to the body";
  if (folder !== root) return `Add "subject" to template.json, or ${inBody}.`;
  const file = `${name}/${name}${path.extname(body.file)}`;
  return `Add ${inBody}, or move it to ${file} and add a template.json with the "subject".`;
}

/** The place of an empty subject, or the start of the file that should have one. */
function placeIn({ body, metadata, metadataSource: source }: Template): SourcePosition {
  if (!source) return { file: body.file };
  if (metadata.subject === undefined) return { file: source.file, line: 1, column: 1 };
  return jsonPosition(source, ["subject"]);
}
