import { readJsxTag } from "../../document/jsx-tag.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import { positionsIn } from "../../../position.js";
import { onceEach } from "../../once-each.js";
import type { Finding, Rule } from "../../rule.js";

export const eventHandler: Rule = {
  id: "event-handler",
  summary: "An element has an event handler, such as `onclick`.",
  severity: "error",
  checkTemplate: ({ document }) => [
    ...document.elements.flatMap(handlersOf),
    ...onceEach(document.elements.flatMap((element) => handlersInJsx(document, element))),
  ],
};

function handlersOf(element: EmailElement): Finding[] {
  return Array.from(element.attributes.keys())
    .filter((name) => /^on[a-z]{3,}$/.test(name))
    .map((name) => ({
      message: `${name} of <${element.name}> is never run: mail clients take event handlers away, and filters distrust them.`,
      at: element.at(name),
      hint: `Take ${name} away.`,
    }));
}

/** React takes functions away when it prints html. */
function handlersInJsx({ input }: EmailDocument, { place }: EmailElement): Finding[] {
  const { file = "", line, column } = place?.at ?? {};
  const text = /\.[jt]sx$/.test(file) ? input.sources.get(file) : undefined;
  if (text === undefined || line === undefined || column === undefined) return [];
  const start = text.split("\n", line - 1).reduce((sum, each) => sum + each.length + 1, column - 1);
  const tag = readJsxTag(text, start);
  if (!tag) return [];
  // What a component of one's own takes may be no event.
  const isEvent = /^[a-z]/.test(tag.name) ? /^on[A-Z]/ : EVENTS;
  return tag.attributes
    .filter(({ name, isExpression }) => isExpression && isEvent.test(name))
    .map(({ name, start: at }) => ({
      severity: "warning",
      message: `${name} of <${tag.name}> is never run: React takes it away, as a mail runs no code.`,
      at: { file, ...positionsIn(text)(at) },
      hint: `Take ${name} away, and lead to a page with href.`,
    }));
}

const EVENTS =
  /^on(?:Click|DoubleClick|ContextMenu|Mouse(?:Down|Enter|Leave|Move|Out|Over|Up)|Pointer\w+|Touch\w+|Key(?:Down|Press|Up)|Focus|Blur|Change|Input|Submit|Load|Error|Scroll|Wheel|Drag\w*|Drop)$/;
