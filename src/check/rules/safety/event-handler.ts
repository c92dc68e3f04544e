import type { Rule } from "../../rule.js";

export const eventHandler: Rule = {
  id: "event-handler",
  summary: "An element has an event handler, such as `onclick`.",
  severity: "error",
  *checkTemplate({ document }) {
    for (const element of document.elements) {
      for (const name of element.attributes.keys()) {
        if (!/^on[a-z]{3,}$/.test(name)) continue;
        yield {
          message: `${name} of <${element.name}> is never run: mail clients take event handlers away, and filters distrust them.`,
          at: element.at(name),
          hint: `Take ${name} away.`,
        };
      }
    }
  },
};
