import { forgottenEnds } from "../../../text/markup/open-elements.js";
import { scanMarkup } from "../../../text/markup/scan.js";
import type { BuiltInRule } from "../../rule.js";

export const endTagMissing: BuiltInRule = {
  id: "end-tag-missing",
  severity: "warning",
  summary: "An element's end tag is missing, though similar elements around it have theirs.",
  details:
    "An element's end tag is missing, though similar elements around it have theirs: one `<td>` of a table, one " +
    "`<li>` of a list, a `<p>`.",
  why:
    "HTML allows some elements to omit the end tag ([the HTML standard on optional " +
    "tags](https://html.spec.whatwg.org/multipage/syntax.html#optional-tags)): they end where the next element of " +
    "their kind begins, or with their parent. If the others have one, it was probably forgotten or lost in an " +
    "edit, and what follows may have become part of the element. A table or a list in which all cells, rows or " +
    "items omit it is fine.",
  fix: "Add the end tag.",
  examples: {
    wrong: [
      `<table>
<tr><td>Tea</td><td>€ 4</td></tr>
<tr>‸<td>Jam<td>€ 5</td></tr>
</table>`,
    ],
    right: [
      `<table>
<tr><td>Tea</td><td>€ 4</td></tr>
<tr><td>Jam</td><td>€ 5</td></tr>
</table>`,
      "<ul><li>Tea<li>Jam</ul>",
    ],
  },
  *checkTemplate({ document }) {
    for (const { tag, endedBy } of forgottenEnds(scanMarkup(document.input.html).pieces)) {
      const element = document.nodeAt(tag.start);
      if (element?.kind === "element" && element.isWritten)
        yield {
          message: `This <${tag.name}> is never closed, unlike others around it. It ends at ${endedBy === "" ? "the end" : endedBy}.`,
          at: element.at(),
          hint: `Add \`</${tag.name}>\` where it should end.`,
        };
    }
  },
};
