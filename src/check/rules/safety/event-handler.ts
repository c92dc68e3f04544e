import type { EmailElement } from "../../document/nodes.js";
import type { BuiltInRule, Finding } from "../../rule.js";

export const eventHandler: BuiltInRule = {
  id: "event-handler",
  severity: "error",
  summary: "An element has an event handler, such as `onclick`.",
  details: "An element has an event handler, such as `onclick` or `onload`, or `onClick={…}` in TSX (a warning).",
  why:
    "Email clients strip event handlers as they strip scripts, and spam filters count them. React leaves functions out of " +
    "the HTML, so they never run.",
  fix: "Remove the attribute, and use a link.",
  examples: {
    wrong: ['<a href="https://shop.example/orders" ‸onclick="open()">Your order</a>'],
    right: ['<a href="https://shop.example/orders">Your order</a>'],
  },
  checkTemplate: ({ document }) => [
    ...document.elements.flatMap(handlersOf),
    ...document.elements.flatMap(handlersInJsx),
  ],
};

function handlersOf(element: EmailElement): Finding[] {
  return Array.from(element.attributes.keys())
    .filter((name) => /^on[a-z]{3,}$/.test(name))
    .map((name) => ({
      message: `${name} on <${element.name}> never runs: email clients strip event handlers, and spam filters distrust them.`,
      at: element.at(name),
      hint: `Remove ${name}.`,
    }));
}

/** React leaves functions out of the HTML. */
function handlersInJsx(element: EmailElement): Finding[] {
  const { name: tag, attributes = [] } = element.sourceTag ?? {};
  const handlers = attributes.filter(({ name, isExpression }) => isExpression && EVENTS.test(name));
  return handlers.map(({ name }) => ({
    severity: "warning",
    message: `${name} on <${tag}> never runs: React leaves it out of the html.`,
    at: element.at(name),
    hint: `Remove ${name}, and link to a page instead.`,
  }));
}

/** A component's other props that begin with `on` may not be events. */
const EVENTS =
  /^on(?:Click|DoubleClick|ContextMenu|Mouse(?:Down|Enter|Leave|Move|Out|Over|Up)|Pointer\w+|Touch\w+|Key(?:Down|Press|Up)|Focus|Blur|Change|Input|Submit|Load|Error|Scroll|Wheel|Drag\w*|Drop)$/;
