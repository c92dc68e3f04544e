import type { EmailElement } from "../../document/nodes.js";
import { onceEach } from "../../once-each.js";
import type { Rule } from "../../rule.js";

export const styleObject: Rule = {
  id: "style-object",
  summary: "A component is given its style as a text, of which React makes one property a letter.",
  severity: "error",
  checkTemplate({ document }) {
    const findings = document.elements.filter(isText).map((element) => ({
      message: `The style of <${element.writtenAs ?? element.name}> is a text: React makes \`${START}\` of it, and none of it is shown.`,
      at: element.at("style"),
      hint: 'Write an object: `style={{ color: "red" }}`.',
    }));
    return onceEach(findings);
  },
};

const START = "0:c;1:o;2:l;…";

/** Whether a style attribute has a property for each letter: `0:c;1:o;2:l`. */
export function isText({ attributes }: EmailElement): boolean {
  return /^0:[^;]*;1:[^;]?;2:/.test(attributes.get("style") ?? "");
}
