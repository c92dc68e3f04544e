import { type AccessPath, type Loop, testedPath } from "../runtime/symbolic.js";
import type { DocumentPart } from "./simplify.js";

export type EachPart = Extract<DocumentPart, { readonly kind: "each" }>;

/** A section over a list, at its place in a document. */
export interface ListSection {
  readonly loop: Loop;
  /** The number of sections around. */
  readonly depth: number;
  /** The innermost section around on whose items the list depends; undefined for a list of the variables as a whole. */
  readonly home: ListSection | undefined;
  /** Whether each item of that section needs a copy of the list. */
  readonly isCopied: boolean;
  /** The sections directly in it. */
  readonly inner: ListSections;
}

export type ListSections = ReadonlyMap<EachPart, ListSection>;

/** The loops on whose items a value depends. */
export type LoopsOf = (path: AccessPath) => readonly Pick<Loop, "id">[];

/**
 * The sections over lists in a document, by their parts.
 *
 * In `people.map((person) => rates.map((rate) => person.hours * rate))`, the rates are the same for each person. But the product can
 * only be added to an item of one of the two lists. So each person gets a copy of the rates.
 */
export function listSections(parts: readonly DocumentPart[], loopsOf: LoopsOf): ListSections {
  const sections = new Map<EachPart, EditableSection>();
  const values: PlacedValue[] = [];
  const visit = (list: readonly DocumentPart[], around: readonly EditableSection[]): void => {
    for (const part of list) {
      if (part.kind === "text") continue;
      const path =
        part.kind === "each" ? part.loop.list : part.kind === "alternative" ? testedPath(part.test) : part.path;
      const loops = new Set(loopsOf(path).map(({ id }) => id));
      const used = around.toReversed().filter(({ loop }) => loops.has(loop.id));
      values.push({ used, around });
      if (part.kind === "alternative") for (const inner of [part.yes, part.no]) visit(inner, around);
      if (part.kind !== "each") continue;
      const { loop } = part;
      const section = { loop, depth: around.length, home: used[0], isCopied: false, inner: new Map() };
      (around.at(-1)?.inner ?? sections).set(part, section);
      visit(part.body, [...around, section]);
    }
  };
  visit(parts, []);
  // A copy may lead to another one.
  for (let isChanged = true; isChanged;) isChanged = values.map(copyListsFor).includes(true);
  return sections;
}

interface EditableSection extends ListSection {
  home: EditableSection | undefined;
  isCopied: boolean;
  readonly inner: Map<EachPart, EditableSection>;
}

interface PlacedValue {
  /** The sections on whose items it depends, innermost first. */
  readonly used: readonly EditableSection[];
  /** The sections around it, outermost first. */
  readonly around: readonly EditableSection[];
}

/** Lets a value be added to the innermost item that it depends on. Returns whether that takes another copy. */
function copyListsFor({ used, around }: PlacedValue): boolean {
  const [place] = used;
  if (!place) return false;
  const copied: boolean[] = [];
  // A section over the same list, in which the members of the inner item hide those of the outer one.
  for (const section of around.slice(place.depth + 1)) {
    if (section.loop.list.key === place.loop.list.key) copied.push(copyTo(section, place));
  }
  for (let section: EditableSection | undefined = place; section; section = section.home) {
    const { depth } = section;
    const outer = used.find((other) => other.depth < depth);
    if (!outer) break;
    copied.push(copyTo(section, outer));
  }
  return copied.includes(true);
}

function copyTo(section: EditableSection, home: EditableSection): boolean {
  if (section.home && section.home.depth >= home.depth) return false;
  section.home = home;
  section.isCopied = true;
  return true;
}
