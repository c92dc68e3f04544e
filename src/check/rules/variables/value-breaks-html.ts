import { renderMustache } from "../../../mustache/fill.js";
import type { Variables } from "../../../mustache/variables.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { imbalanceOf } from "../../truth/filled-html.js";
import { HOSTILE, isBrokenBy } from "../../truth/hostile.js";
import { inWords, smallest } from "../../truth/smallest.js";
import { skeleton } from "../../truth/skeleton.js";
import { htmlTags, type TagInPlace } from "../../variables/tags.js";
import { unbalancedCase } from "./sections-break-html.js";
import { isInMarkup } from "./variable-in-markup.js";

export const valueBreaksHtml: Rule = {
  id: "value-breaks-html",
  summary: "The value of a variable can add elements or attributes to the HTML, or unbalance it.",
  severity: "error",
  checkTemplate(checked) {
    return [...rawFixtures(checked), ...hostileTexts(checked)];
  },
};

/** Tried one after the other, so that the message shows one character that is enough. */
const CHARACTERS = ["<i>", '"', "'", " ", "&", "{{x}}", "\n"];

function hostileTexts(checked: CheckedTemplate): Finding[] {
  const tags = htmlTags(checked);
  // variable-in-markup reports these tags.
  if (tags.some(isInMarkup) || !isBrokenBy(checked, HOSTILE)) return [];
  const paths = new Map<string, TagInPlace>();
  for (const tag of tags)
    if (tag.kind === "variable" && tag.found && !paths.has(tag.found.path)) paths.set(tag.found.path, tag);
  const broken = [...paths].filter(([path]) => isBrokenBy(checked, HOSTILE, path));
  return broken.map(([path, tag]) => {
    const text = CHARACTERS.find((each) => isBrokenBy(checked, `text${each}text`, path)) ?? HOSTILE;
    return {
      message: `With ${inWords({ [path]: `text${text}text` })} the HTML gains elements or attributes: ${tag.text} is not only printed as text.`,
      at: tag.at(),
      hint: "Print it as text, or between the quotes of an attribute.",
    };
  });
}

/** Unescaped variables are HTML of the application. At least the HTML in the fixtures has to be balanced. */
function rawFixtures(checked: CheckedTemplate): Finding[] {
  const raw = htmlTags(checked).find(({ kind }) => kind === "unescaped");
  if (!raw || unbalancedCase(checked)) return [];
  const html = skeleton(checked.document.input.html, checked.document.input.tags);
  const imbalance = (variables: Variables) => imbalanceOf(renderMustache(html, variables, { escape: "html" }));
  return checked.compiled.fixtures.flatMap(({ name, variables }): Finding[] => {
    const problem = imbalance(variables);
    if (problem === undefined) return [];
    const minimal = smallest(variables, (others) => imbalance(others) !== undefined);
    return [
      {
        message: `With the fixture "${name}", ${inWords(minimal)}, the HTML is not balanced: ${problem}`,
        at: raw.at(),
        hint: "Pass HTML whose elements are all closed.",
      },
    ];
  });
}
