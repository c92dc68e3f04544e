import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { HOSTILE } from "../../truth/rows.js";
import { inWords, smallest } from "../../truth/smallest.js";
import { TruthTable } from "../../truth/truth-table.js";
import { htmlTags, type TagInPlace } from "../../variables/tags.js";
import { isInMarkup } from "./variable-in-markup.js";

export const valueBreaksHtml: Rule = {
  id: "value-breaks-html",
  summary: "The text of a variable can add elements or attributes to the html, or leaves it unbalanced.",
  severity: "error",
  checkTemplate(checked) {
    return [...rawFixtures(checked), ...hostileTexts(checked)];
  },
};

/** One after the other, so that the finding names one character that is enough. */
const CHARACTERS = ["<i>", '"', "'", " ", "&", "{{x}}", "\n"];

function hostileTexts(checked: CheckedTemplate): Finding[] {
  const table = TruthTable.of(checked);
  const tags = htmlTags(checked);
  // Said of each of these tags already.
  if (tags.some(isInMarkup) || !table.isBrokenBy(HOSTILE)) return [];
  const paths = new Map<string, TagInPlace>();
  for (const tag of tags)
    if (tag.kind === "variable" && tag.found && !paths.has(tag.found.path)) paths.set(tag.found.path, tag);
  const broken = [...paths].filter(([path]) => table.isBrokenBy(HOSTILE, path));
  return broken.map(([path, tag]) => {
    const text = CHARACTERS.find((each) => table.isBrokenBy(`text${each}text`, path)) ?? HOSTILE;
    return {
      message: `With ${inWords({ [path]: `text${text}text` })} the html gets other elements or attributes: what ${tag.text} prints is not only text there.`,
      at: tag.at(),
      hint: "Print it as text, or between the quotes of an attribute.",
    };
  });
}

/** What is printed unescaped is the application's own html: at least that of the fixtures has to be whole. */
function rawFixtures(checked: CheckedTemplate): Finding[] {
  const raw = htmlTags(checked).find(({ kind }) => kind === "unescaped");
  if (!raw) return [];
  const table = TruthTable.of(checked);
  return checked.compiled.fixtures.flatMap(({ name, input, variables }): Finding[] => {
    const problem = table.imbalanceOfRaw(variables);
    if (problem === undefined || table.imbalance(input) !== undefined) return [];
    const shown = smallest(variables, (others) => table.imbalanceOfRaw(others) !== undefined);
    return [
      {
        message: `With the fixture "${name}", ${inWords(shown)}, the html is not balanced: ${problem}`,
        at: raw.at(),
        hint: "Pass html whose elements are all closed.",
      },
    ];
  });
}
