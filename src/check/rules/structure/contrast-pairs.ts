import type { SourcePosition } from "../../../diagnostic.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import type { Finding } from "../../rule.js";
import { cascadeOf } from "../../styles/cascade.js";
import { contrastOf, nameOf, over } from "../../styles/colour.js";
import type { View } from "../../styles/media.js";
import { backgroundOf, type Painted, textColours } from "../../styles/painted.js";
import { isLargeText } from "../../styles/type.js";
import { isHidden } from "../../styles/visible.js";
import { readTexts, sampleOf } from "./read-texts.js";

/** A text that is seen, and the colours it is seen in. */
export interface Pair {
  /** What holds the text. */
  readonly element: EmailElement;
  readonly words: string;
  readonly text: Painted;
  readonly background: Painted;
  readonly ratio: number;
  /** The least ratio that WCAG asks for. */
  readonly wanted: number;
}

const found = new WeakMap<EmailDocument, Map<View, readonly Pair[]>>();

/** The texts of a document whose colours are known in a view. */
export function contrastPairs(document: EmailDocument, view: View): readonly Pair[] {
  const views = found.get(document) ?? new Map<View, readonly Pair[]>();
  found.set(document, views);
  const pairs = views.get(view) ?? findPairs(document, view);
  views.set(view, pairs);
  return pairs;
}

function findPairs(document: EmailDocument, view: View): Pair[] {
  const cascade = cascadeOf(document);
  return [...readTexts(document)].flatMap(([element, words]) => {
    const colours = textColours(cascade, element, view);
    const background = colours && backgroundOf(cascade, element, view);
    if (!background || isHidden(cascade, element, view)) return [];
    const [best] = colours
      .map((painted) => ({ painted, ratio: contrastOf(over(painted.colour, background.colour), background.colour) }))
      .toSorted((a, b) => b.ratio - a.ratio);
    const wanted = isLargeText(cascade, element, view) ? 3 : 4.5;
    return best ? [{ element, words, text: best.painted, background, ratio: best.ratio, wanted }] : [];
  });
}

/** How findings about pairs are told. */
export interface Telling {
  /** Where they are seen, such as " in dark mode". */
  readonly where?: string;
  readonly hint: string;
  /** What made a pair so, and is to be changed. */
  readonly cause: (pair: Pair) => Cause;
}

export interface Cause {
  readonly at: SourcePosition;
  readonly hint?: string;
}

/** One finding for all texts of the same colours, at the cause of the first of them. */
export function findingsOf(pairs: readonly Pair[], { where = "", hint, cause }: Telling): Finding[] {
  const groups = new Map<string, [Pair, ...Pair[]]>();
  for (const pair of pairs) {
    // What a shared part causes is the same finding in every template that includes it.
    const key = `${coloursOf(pair)} ${cause(pair).at.file}`;
    const group = groups.get(key);
    if (group) group.push(pair);
    else groups.set(key, [pair]);
  }
  return Array.from(groups.values(), ([pair, ...others]) => {
    const first = cause(pair);
    const wanted = Math.max(pair.wanted, ...others.map((other) => other.wanted));
    const ratio = (Math.floor(pair.ratio * 100) / 100).toFixed(2);
    const lines = others.map((other) => cause(other).at.line);
    const texts = `Read in "${sampleOf(pair.words)}"${othersIn(lines, first.at.line)}${otherOf(pair, first.at)}.`;
    return {
      message: `Text in ${coloursOf(pair)} has a contrast of ${ratio}:1${where}, and needs ${wanted}:1 to be read well.`,
      at: first.at,
      hint: `${texts} ${first.hint ?? hint}`,
      ...(pair.ratio >= UNREADABLE && { severity: "info" }),
    };
  });
}

function coloursOf({ text, background }: Pair): string {
  return `${nameOf(text.colour)} on ${nameOf(background.colour)}`;
}

/** Below this, also large text is too pale for WCAG. */
const UNREADABLE = 3;

function othersIn(lines: readonly (number | undefined)[], own: number | undefined): string {
  if (lines.length === 0) return "";
  const known = [...new Set(lines)].filter((line) => line !== undefined && line !== own);
  const shown = known.slice(0, 3).join(", ") + (known.length > 3 ? ", …" : "");
  const count = lines.length === 1 ? "one other text" : `${lines.length} other texts`;
  return ` and ${count}${shown === "" ? "" : ` (line ${shown})`}`;
}

/** Where the other one of the two colours comes from, if it is on another line of the same file. */
function otherOf({ text, background }: Pair, place: SourcePosition): string {
  for (const [what, { by }] of [
    ["the text's colour", text],
    ["the background", background],
  ] as const) {
    const at = by?.given.at();
    if (at?.line === undefined || at.file !== place.file || at.line === place.line) continue;
    return `; ${what} is set in line ${at.line}`;
  }
  return "";
}

/** Where one of a pair's colours was made; where that is the client's own, the other one. */
export function placeOf(blamed: Painted, { element, text, background }: Pair): SourcePosition {
  const { by } = [blamed, text, background].find((painted) => painted.by) ?? {};
  return (by?.given ?? element).at();
}
