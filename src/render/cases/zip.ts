import { SITE_ATTRIBUTE } from "../../text/markup/scan.js";
import { withoutSites } from "../source/sites.js";
import { compareLists } from "./compare.js";

/** Returns text that prints one or the other. */
export type Choose = (yes: string, no: string) => string;

/**
 * Merges two runs of tags and texts, with choices inside attribute values and texts; undefined if their structure
 * differs.
 */
export function zip(yes: readonly string[], no: readonly string[], choose: Choose): string[] | undefined {
  const [first, second] = [withWholeTexts(yes), withWholeTexts(no)];
  if (first.length !== second.length) return undefined;
  const zipped: string[] = [];
  for (const [index, unit] of first.entries()) {
    const one = zipUnits(unit, second[index] ?? "", choose);
    if (one === undefined) return undefined;
    zipped.push(one);
  }
  return zipped;
}

/** Joins adjacent texts and placeholders. */
function withWholeTexts(units: readonly string[]): string[] {
  return units.join("").match(/<!--[\s\S]*?-->|<[^>]*>|[^<]+|</g) ?? [];
}

/** The same for a single unit of each. */
export function zipUnits(yes: string, no: string, choose: Choose): string | undefined {
  const [first, second] = [withoutSites(yes), withoutSites(no)];
  if (first === second) return yes;
  const [site = ""] = SITE.exec(yes) ?? [];
  return zipDifferent(first, second, choose)?.replace(/\/?>$/, (end) => site + end);
}

const SITE = new RegExp(` ${SITE_ATTRIBUTE}="\\d+"`);

function zipDifferent(yes: string, no: string, choose: Choose): string | undefined {
  if (!yes.startsWith("<") && !no.startsWith("<")) return zipTexts(yes, no, choose);
  const [first, second] = [readTag(yes), readTag(no)];
  if (!first || !second || first.frame !== second.frame) return undefined;
  let index = 0;
  return yes.replace(ATTRIBUTE, (_whole, name: string, value: string) => {
    const other = second.values[index] ?? "";
    index += 1;
    return `${name}="${value === other ? value : zipLists(value, other, /(?<=[;\uE003])|(?=\uE002)/, choose)}"`;
  });
}

export function isTag(unit: string): boolean {
  return /^<[a-z]/i.test(unit);
}

const ATTRIBUTE = /(\s[^\s"'<>/=]+)="([^"]*)"/g;

/** A tag's attribute values, and the tag without them. */
function readTag(unit: string): { readonly frame: string; readonly values: readonly string[] } | undefined {
  if (!isTag(unit)) return undefined;
  return {
    frame: unit.replace(ATTRIBUTE, '$1=""'),
    values: Array.from(unit.matchAll(ATTRIBUTE), ([, , value]) => value ?? ""),
  };
}

/** Texts are only compared at both ends: a sentence is easier to read in one piece. */
function zipTexts(yes: string, no: string, choose: Choose): string {
  return zipLists(yes, no, /(?<=[\s\uE003])|(?=[\s\uE002])/, choose);
}

function zipLists(yes: string, no: string, separator: RegExp, choose: Choose): string {
  const runs = compareLists(yes.split(separator), no.split(separator));
  const [first, last] = [runs[0], runs.at(-1)];
  const start = first?.kind === "same" ? first.items.join("") : "";
  const end = last?.kind === "same" && runs.length > 1 ? last.items.join("") : "";
  const middle = (text: string): string => text.slice(start.length, text.length - end.length);
  return `${start}${choose(middle(yes), middle(no))}${end}`;
}
