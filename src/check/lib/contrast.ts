import type { SourcePosition } from "../../diagnostic.js";
import type { EmailDocument } from "../document/email-document.js";
import type { EmailElement } from "../document/nodes.js";
import type { Finding } from "../rule.js";
import { colourName, contrastOf, over } from "../styles/colour.js";
import { backgroundOf, isHidden, isLargeText, type PaintedColour, textColours } from "../styles/computed.js";
import type { MediaContext } from "../styles/matching.js";
import { readTexts, sampleOf } from "./texts.js";

/** Visible text with its colours. */
export interface Pair {
  /** The element that contains the text. */
  readonly element: EmailElement;
  readonly words: string;
  readonly text: PaintedColour;
  readonly background: PaintedColour;
  /** `#dddddd on #ffffff` */
  readonly colours: string;
  readonly ratio: number;
  /** The minimum ratio by WCAG. */
  readonly wanted: number;
}

/** All visible text in a view whose colours are known. */
export function contrastPairs(document: EmailDocument, view: MediaContext): Pair[] {
  return [...readTexts(document)].flatMap(([element, words]) => {
    const painted = textColours(element, view);
    const background = painted && backgroundOf(element, view);
    if (!background || isHidden(element, view)) return [];
    const [best] = painted
      .map((text) => ({ text, ratio: contrastOf(over(text.colour, background.colour), background.colour) }))
      .toSorted((a, b) => b.ratio - a.ratio);
    if (!best) return [];
    const colours = `${colourName(best.text.colour)} on ${colourName(background.colour)}`;
    return [{ ...best, element, words, background, colours, wanted: isLargeText(element, view) ? 3 : 4.5 }];
  });
}

/** A pair with too little contrast, and what to change. */
interface PalePair extends Pair {
  readonly at: SourcePosition;
  readonly hint: string;
}

/**
 * One finding for all text in the same two colours, at the first place.
 *
 * @param where Added to the message, such as " in dark mode".
 */
export function contrastFindings(pairs: readonly PalePair[], where = ""): Finding[] {
  // Grouped by file, so that a shared part gives the same finding in every template that includes it.
  const keyOf = ({ colours, at }: PalePair): string => `${colours} ${at.file}`;
  const firsts = new Map(pairs.toReversed().map((pair) => [keyOf(pair), pair]));
  return pairs
    .filter((pair) => firsts.get(keyOf(pair)) === pair)
    .map((pair): Finding => {
      const others = pairs.filter((other) => other !== pair && keyOf(other) === keyOf(pair));
      const wanted = Math.max(pair.wanted, ...others.map((other) => other.wanted));
      const ratio = (Math.floor(pair.ratio * 100) / 100).toFixed(2);
      return {
        message: `Text in ${pair.colours} has a contrast ratio of ${ratio}:1${where}; it needs at least ${wanted}:1.`,
        at: pair.at,
        hint: `Used for "${sampleOf(pair.words)}"${othersIn(pair, others)}${setElsewhere(pair)}. ${pair.hint}`,
        ...(pair.ratio >= UNREADABLE && { severity: "info" }),
      };
    });
}

/** Below this ratio, even large text fails WCAG. */
const UNREADABLE = 3;

function othersIn({ at: { line: own } }: PalePair, others: readonly PalePair[]): string {
  if (others.length === 0) return "";
  const lines = [...new Set(others.map(({ at }) => at.line))].filter((line) => line !== undefined && line !== own);
  const shown = lines.slice(0, 3).join(", ") + (lines.length > 3 ? ", …" : "");
  const count = others.length === 1 ? "one other text" : `${others.length} other texts`;
  return ` and ${count}${shown === "" ? "" : ` (line ${shown})`}`;
}

/** Where the other colour is set, if that is another line of the same file. */
function setElsewhere({ text, background, at: { file, line } }: PalePair): string {
  const isElsewhere = (at: SourcePosition | undefined): boolean =>
    at?.line !== undefined && at.file === file && at.line !== line;
  const [ofText, ofBackground] = [text.by?.given.at(), background.by?.given.at()];
  if (isElsewhere(ofText)) return `; the text colour is set on line ${ofText?.line}`;
  return isElsewhere(ofBackground) ? `; the background is set on line ${ofBackground?.line}` : "";
}

/** Where a colour of a pair was set; if it is the client's default, where the other one was. */
export function positionOfColour(blamed: PaintedColour, { element, text, background }: Pair): SourcePosition {
  const { by } = [blamed, text, background].find((painted) => painted.by) ?? {};
  return (by?.given ?? element).at();
}
