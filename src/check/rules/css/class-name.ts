import type { SourcePosition } from "../../../diagnostic.js";
import { nearest } from "../../../nearest.js";
import { positionAt } from "../../../position.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";
import { inlinedClasses } from "./inlined-classes.js";

export const className: Rule = {
  id: "class-name",
  summary: "A class has no style, and nearly the name of one that no element has.",
  severity: "warning",
  checkTemplate({ document }): Finding[] {
    // A tag may fill in any of them.
    if (document.elements.some((each) => each.attribute("class")?.includes("{{"))) return [];
    const given = classesOf(document);
    const inSheets = new Set(
      document.styleRules.flatMap(({ selectors }) => selectors.flatMap((selector) => classesIn(selector))),
    );
    const inlined = inlinedClasses(document, inSheets);
    const styled = new Set([...inSheets, ...inlined.keys()]);
    const idle = [...styled].filter((name) => !given.has(name));
    const inElements = Array.from(given).flatMap(([name, element]): Finding[] => {
      if (styled.has(name) || !isWord(name)) return [];
      const alone = nearest(name, idle.filter(isWord), 1);
      if (alone !== undefined && isSlip(name, alone)) {
        const { count, at } = styleFor(document, alone, inlined);
        // What is written more often is what is meant.
        if (countOf(document, name) > count && at) {
          const message = `No element has the class ${alone}, and several have ${name}, which has no style.`;
          return [{ message, at, hint: `Did you mean ${name}?` }];
        }
        const message = `No style is for the class ${name}, and no element has the class ${alone}, which has one.`;
        return [{ message, at: element.at("class"), hint: `Did you mean ${alone}?` }];
      }
      const meant = [...styled].find((each) => isCertainSlip(name, each));
      if (meant === undefined) return [];
      const message = `No style is for the class ${name}, and there is one for ${meant}.`;
      return [{ message, at: element.at("class"), hint: `Did you mean ${meant}?` }];
    });
    const inStyles = idle.flatMap((name): Finding[] => {
      const meant = [...given.keys()].find((each) => styled.has(each) && isCertainSlip(name, each));
      const { at } = styleFor(document, name, inlined);
      if (meant === undefined || !at) return [];
      const message = `No element has the class ${name}, and some have ${meant}.`;
      return [{ message, at, hint: `Did you mean ${meant}?` }];
    });
    return [...inElements, ...inStyles, ...leftByTailwind(document, styled)];
  },
};

/** How many rules a class has, and where the first is. */
function styleFor(
  { styleRules }: EmailDocument,
  name: string,
  inlined: ReadonlyMap<string, SourcePosition>,
): { readonly count: number; readonly at: SourcePosition | undefined } {
  const rules = styleRules.filter(({ selectors }) => selectors.some((selector) => classesIn(selector).includes(name)));
  return { count: Math.max(1, rules.length), at: rules[0]?.at() ?? inlined.get(name) };
}

function countOf({ elements }: EmailDocument, name: string): number {
  return elements.filter((each) => each.attribute("class")?.split(/\s+/).includes(name)).length;
}

/** The classes that a user gave, with the first element that has each. */
function classesOf({ elements, isSited }: EmailDocument): Map<string, EmailElement> {
  const given = new Map<string, EmailElement>();
  for (const element of elements) {
    if (isSited && !element.place) continue;
    for (const name of element.attribute("class")?.split(/\s+/) ?? [])
      if (name !== "" && !given.has(name)) given.set(name, element);
  }
  return given;
}

function classesIn(selector: string): string[] {
  return Array.from(selector.replaceAll(/\[[^\]]*\]/g, "").matchAll(/\.(-?[a-z_][\w-]*)/gi), ([, name = ""]) => name);
}

/** `mt-10` and `mb-10`, `pl-lg` and `pr-lg` are names of their own. */
function isWord(name: string): boolean {
  return name.length > 2 && name.split(/[-_]+/).every((part) => /^[a-z]{3,}$/i.test(part));
}

/** `buttons` is no slip of `button`, nor `mail` of `main`. */
function isSlip(name: string, meant: string): boolean {
  if (name.replace(/s$/, "") === meant.replace(/s$/, "")) return false;
  return name.length > 5 || isSwapped(name, meant) || isLetterWithin(name, meant);
}

/** Whether one of them has a letter more, neither at its beginning nor at its end. */
function isLetterWithin(name: string, meant: string): boolean {
  const [shorter, longer] = name.length < meant.length ? [name, meant] : [meant, name];
  return longer.length === shorter.length + 1 && !longer.startsWith(shorter) && !longer.endsWith(shorter);
}

/** Tailwind takes away each class that it knows, and leaves those that it does not. */
function leftByTailwind({ input, elements }: EmailDocument, styled: ReadonlySet<string>): Finding[] {
  const components = [...input.sources].filter(([file]) => /\.[jt]sx$/.test(file));
  if (!components.some(([, text]) => /<Tailwind\b/.test(text))) return [];
  const values = components.flatMap(([file, text]) => valuesInClasses(text, file));
  const left = elements.flatMap((element): Finding[] => {
    if (!element.place) return [];
    const names = (element.attribute("class") ?? "").split(/\s+/).filter((name) => !styled.has(name));
    return names.flatMap((name): Finding[] => {
      const [, before = "", colour = "", shade = ""] = COLOUR_CLASS.exec(name) ?? [];
      const at = element.atValue("class", name) ?? element.at("class");
      const message = `Tailwind has no class ${name}, and leaves it without a style.`;
      if (COLOURS.includes(colour) && shade !== "")
        return [{ message, at, hint: `The shades of ${colour} are 50, 100, 200 and so on to 900, and 950.` }];
      const meant = COLOURS.includes(colour) || colour.length < 3 ? undefined : nearest(colour, COLOURS, 1);
      if (meant === undefined && !/^[a-z-]+-\[[^\]]+\]$/.test(name)) return [];
      const hint = meant === undefined ? "Mend its name." : `Did you mean ${before}${meant}${shade}?`;
      return [{ message, at, hint }];
    });
  });
  return [...values, ...left];
}

/** `text-[#11182x]`: what stands in brackets Tailwind takes as it is, whatever mail clients make of it. */
function valuesInClasses(text: string, file: string): Finding[] {
  return Array.from(text.matchAll(CLASS_WITH_VALUE)).flatMap(({ 0: name, 1: kind = "", 2: value = "", index }) => {
    const why = mistakeIn(kind, value);
    if (why === undefined) return [];
    return [{ message: `The class ${name} gives no style: ${why}.`, at: { file, ...positionAt(text, index) } }];
  });
}

const CLASS_WITH_VALUE = /(?<=["'`\s:!])-?([a-z]+(?:-[a-z]+)*)-\[([^\]\s:(),]+)\](?=["'`\s])/g;
/** Those whose number is a length. */
const LENGTHS =
  /^(?:[pm][xytrblse]?|w|h|size|(?:min|max)-[wh]|gap|text|rounded(?:-[a-z]+)?|border(?:-[xytrblse])?|top|right|bottom|left|inset|tracking|indent|basis|space-[xy])$/;
const UNITS: ReadonlySet<string> = new Set(
  "px pt pc em rem ex ch in cm mm q vw vh vmin vmax dvw dvh svw svh lvw lvh cqw cqh lh rlh fr deg rad turn s ms % dpi x".split(
    " ",
  ),
);

function mistakeIn(kind: string, value: string): string | undefined {
  if (value.startsWith("#")) {
    const isColour = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})(?:\/\d+)?$/i.test(value);
    return isColour ? undefined : `${value} is no colour`;
  }
  const [, number, unit = ""] = /^-?(\d*\.?\d+)([a-z]+|%)?$/i.exec(value) ?? [];
  if (number === undefined) return undefined;
  if (unit !== "") return UNITS.has(unit.toLowerCase()) ? undefined : `there is no unit ${unit}`;
  return LENGTHS.test(kind) && Number(number) !== 0 ? `${value} has no unit` : undefined;
}

const COLOUR_CLASS = /^((?:bg|text|border)-)([a-z]+)((?:-\d{2,3})?)$/;
const COLOURS =
  "white black transparent slate gray zinc neutral stone red orange amber yellow lime green emerald teal cyan sky blue indigo violet purple fuchsia pink rose".split(
    " ",
  );

/** Whether two letters of a word are swapped, or one within it is doubled or missing: what no second name differs in. */
function isCertainSlip(name: string, meant: string): boolean {
  if (!isWord(name) || !isWord(meant) || nearest(name, [meant], 1) === undefined || name === meant) return false;
  const [parts, others] = [name, meant].map((each) => each.toLowerCase().split(/[-_]+/));
  if (parts?.length !== others?.length) return false;
  const different = (parts ?? []).flatMap((part, index) =>
    part === others?.[index] ? [] : [[part, others?.[index] ?? ""]],
  );
  const [[own = "", other = ""] = []] = different;
  if (different.length !== 1 || Math.min(own.length, other.length) < 4) return false;
  if (isSwapped(own, other)) return !WORD_PAIRS.has(own) || !WORD_PAIRS.has(other);
  if (!isLetterWithin(own, other)) return false;
  const [shorter, longer] = own.length < other.length ? [own, other] : [other, own];
  // In a short word, a letter that is not doubled makes another one.
  return longer.length > 5 || (longer.length === 5 && longer.replace(/([a-z])\1/, "$1") === shorter);
}

/** A swap makes another word of them. */
const WORD_PAIRS: ReadonlySet<string> = new Set(
  "form from trial trail angle angel quiet quite united untied unite untie dairy diary casual causal sign sing grid gird barn bran calm clam cold clod bolt blot silver sliver field filed tired tried sacred scared could cloud".split(
    " ",
  ),
);

function isSwapped(name: string, meant: string): boolean {
  const [own, other] = [name, meant].map((each) => each.toLowerCase().split("").toSorted().join(""));
  return own === other;
}
