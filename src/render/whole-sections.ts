import { isFree } from "../text/markup/open-elements.js";
import { scanMarkup } from "../text/markup/scan.js";
import { isInverted, tagName, roleOf, token, type Tokenised, tokensIn } from "../mustache/tokens.js";
import type { VariablesContract } from "../mustache/variables.js";
import { imbalanceOf } from "./invariants/balance.js";
import { inCase, type TestedSections, testedSections } from "./invariants/cases.js";

/**
 * Rewrites the HTML so that each section contains whole elements, for code that reads it as a tree: content between two
 * halves of an element is duplicated for both cases.
 *
 * @example
 * // {{#url}}<a href="{{url}}">{{/url}}Logo{{#url}}</a>{{/url}}
 * wholeSections(html, contract); // {{#url}}<a href="{{url}}">Logo</a>{{/url}}{{^url}}Logo{{/url}}
 */
export function wholeSections(html: Tokenised, contract: VariablesContract): Tokenised {
  let whole = html;
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const [section] = imbalanceOf(whole.text, whole.tags, true)?.sections ?? [];
    const written = section === undefined ? undefined : inBothCases(whole, section, contract);
    if (!written || written.text.length > html.text.length * LONGEST) break;
    whole = written;
  }
  return whole;
}

const MOST_TURNS = 16;
/** How many times longer the result may be than the email. */
const LONGEST = 4;

function inBothCases({ text, tags }: Tokenised, section: number, contract: VariablesContract): Tokenised | undefined {
  const sections = testedSections(text, tags, contract);
  const { key = "", mayRepeat = true, hasMembers = true } = sections.get(section) ?? {};
  // In a section that opens a scope, names may mean something else.
  const range = mayRepeat || hasMembers ? undefined : rangeOf({ text, tags }, section, { key, sections });
  if (!range) return undefined;
  const [from, to] = range;
  const [shown = "", hidden = ""] = [true, false].map((isTrue) =>
    inCase(text.slice(from, to), tags, { key, isTrue, sections }),
  );
  const name = tagName(tags[section]);
  const own = ["#", "^", "/"].map((sigil) => ({ ...tags[section], text: `{{${sigil}${name}}}` }));
  const [opening = "", inverted = "", closing = ""] = own.map((_, index) => token(tags.length + index));
  const both = shown === hidden ? shown : opening + shown + closing + inverted + hidden + closing;
  return { text: text.slice(0, from) + both + text.slice(to), tags: [...tags, ...own] };
}

/**
 * Merges text that is the same in both cases in a text body derived from such HTML.
 *
 * @example
 * mergeCases(text); // "Hello" of {{#vip}}Hello{{/vip}}{{^vip}}Hello{{/vip}}
 */
export function mergeCases(text: Tokenised): Tokenised {
  const inBoth = (
    both: string,
    shown: string,
    _line: string,
    same: string,
    _closing: string,
    hidden: string,
  ): string => {
    const [first, second] = [text.tags[Number(shown)], text.tags[Number(hidden)]];
    return isInverted(second) && !isInverted(first) && tagName(first) === tagName(second) ? same : both;
  };
  const merged = text.text.replace(SAME_IN_BOTH, inBoth);
  return merged === text.text ? text : { ...text, text: merged.trimEnd() };
}

/** Both end with the same closing tag, which only happens for sections written here. Standalone tags take their lines with them. */
const SAME_IN_BOTH = new RegExp(
  "\uE000(?<shown>\\d+)\uE001(?<line>\\n?)(?<same>[^]*?)(?<closing>\uE000\\d+\uE001)\\k<line>" +
    "\uE000(?<hidden>\\d+)\uE001\\k<line>\\k<same>\\k<closing>\\k<line>?",
  "g",
);

/** The range in which the open elements depend on a section. */
function rangeOf(
  html: Tokenised,
  section: number,
  { key, sections }: { readonly key: string; readonly sections: TestedSections },
): readonly [from: number, to: number] | undefined {
  const isShown = (around: readonly number[], isTrue: boolean): boolean =>
    around.every((each) => sections.get(each)?.key !== key || isInverted(html.tags[each]) !== isTrue);
  /** The open elements where the section is true, and where it is false. */
  const open: readonly [Step[], Step[]] = [[], []];
  let from: Step | undefined;
  let base: Step[] = [];
  for (const step of stepsIn(html)) {
    if (step.opens === section) {
      from = step;
      base = [...open[0]];
    }
    for (const [elements, isTrue] of [[open[0], true] as const, [open[1], false] as const]) {
      if (!step.element || !isShown(step.around, isTrue)) continue;
      if (!step.element.isEnd) elements.push(step);
      else if (elements.pop()?.element?.name !== step.element.name) return undefined;
    }
    if (!from) continue;
    while (base.some((element) => !open[0].includes(element) || !open[1].includes(element))) {
      const last = base.pop();
      if (String(last?.around) !== String(from.around)) return undefined;
      from = last ?? from;
    }
    if (step.around.length < from.around.length) return undefined;
    const isWithin = step.opens !== undefined || step.around.length > from.around.length;
    if (!isWithin && open.every((elements) => elements.length === base.length)) return [from.start, step.end];
  }
  return undefined;
}

/** A tag of an element, or of a section. */
interface Step {
  readonly element?: { readonly name: string; readonly isEnd: boolean };
  /** The section that opens here. */
  readonly opens?: number;
  /** The sections around it. */
  readonly around: readonly number[];
  readonly start: number;
  readonly end: number;
}

function stepsIn({ text, tags }: Tokenised): Step[] {
  let around: readonly number[] = [];
  return scanMarkup(text).pieces.flatMap((piece): Step[] => {
    const { kind, start, end } = piece;
    if (kind === "open" || kind === "close") {
      const isOne = !isFree(piece.name) && !(kind === "open" && piece.selfClosing);
      return isOne ? [{ element: { name: piece.name, isEnd: kind === "close" }, around, start, end }] : [];
    }
    if (kind !== "text") return [];
    return tokensIn(text.slice(start, end)).flatMap(({ tag, offset }): Step[] => {
      const role = roleOf(tags[tag]);
      if (role === "prints") return [];
      if (role === "closes") around = around.slice(0, -1);
      const at = { around, start: start + offset, end: start + offset + token(tag).length };
      if (role === "opens") around = [...around, tag];
      return [role === "opens" ? { ...at, opens: tag } : at];
    });
  });
}
