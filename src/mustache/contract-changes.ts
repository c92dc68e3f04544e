import { contractRead } from "./contract-read.js";
import { type Kind, kindsOf } from "./kinds.js";
import { toPath } from "./lookup.js";
import { parse, type MustacheNode, type SectionNode, type VariableNode } from "./parse.js";
import { Shape } from "./shape.js";
import { Surroundings } from "./surroundings.js";
import type { Condition, VariablesContract } from "./variables.js";

/** The bodies of a template, and what they are filled by: where nobody knows, what they read. */
export interface ReadTexts {
  readonly texts: readonly string[];
  readonly contract?: VariablesContract;
}

/** A tag that prints or shows something else than it is meant to, when it is filled by another contract. */
export interface ContractChange {
  /** As the tags have it, with the sections around it: `order.items[].price`. */
  readonly variable: string;
  /** What would happen, in a few words. */
  readonly effect: string;
}

/**
 * What goes wrong where variables of one version fill the tags of another: names that find nothing or something else,
 * and values of another kind. Nothing is said where a schema leaves open what there is.
 *
 * @example
 * contractChanges({ texts: ["{{name}}"] }, { texts: ["{{name}} {{city}}"] });
 * // [{ variable: "city", effect: "would be blank" }]
 *
 * @returns Each variable once, sorted.
 */
export function contractChanges(before: ReadTexts, after: ReadTexts): ContractChange[] {
  const comparison = new Comparison(before, after);
  for (const text of after.texts) comparison.read(parse(text).nodes);
  return comparison.changes;
}

/** Where a tag stands, as each of the two contracts has it. */
interface Place {
  readonly before: Surroundings;
  readonly after: Surroundings;
  /** The names of the sections around it. */
  readonly within: readonly string[];
  /** The sections around it that lead to other names, as a path shows them; one for each level. */
  readonly path: readonly string[];
}

type Tag = VariableNode | SectionNode;

class Comparison {
  readonly #before: VariablesContract;
  readonly #after: VariablesContract;
  /** Whether the earlier contract is what was promised, and not only what its tags show. */
  readonly #isPromised: boolean;
  /** Whether the later contract says what is meant, and is not guessed from its tags. */
  readonly #isTold: boolean;
  /** The tags that there were, where they stood. */
  readonly #tagsBefore: ReadonlySet<string>;
  readonly #effects = new Map<string, string>();

  constructor(before: ReadTexts, after: ReadTexts) {
    this.#before = before.contract ?? contractRead(before.texts);
    this.#after = after.contract ?? contractRead(after.texts);
    this.#isPromised = before.contract !== undefined;
    this.#isTold = after.contract !== undefined;
    const tags = before.texts.flatMap((text) => tagsIn(parse(text).nodes));
    this.#tagsBefore = new Set(tags.map(({ tag, within: around }) => keyOf(tag, around)));
  }

  get changes(): ContractChange[] {
    return [...this.#effects]
      .map(([variable, effect]) => ({ variable, effect }))
      .toSorted((a, b) => (a.variable < b.variable ? -1 : 1));
  }

  read(nodes: readonly MustacheNode[], place: Place = this.#outermost): void {
    for (const node of nodes) {
      if (node.kind !== "variable" && node.kind !== "section") continue;
      const effect = this.#effectOf(node, place);
      const variable = pathOf(node.name, place);
      if (effect !== undefined && !this.#effects.has(variable)) this.#effects.set(variable, effect);
      if (node.kind === "section") this.read(node.children, node.inverted ? place : inside(node, place));
    }
  }

  get #outermost(): Place {
    return { before: Surroundings.of(this.#before), after: Surroundings.of(this.#after), within: [], path: [] };
  }

  #effectOf(tag: Tag, place: Place): string | undefined {
    const { first } = toPath(tag.name);
    if (conditionOf(this.#after, first)?.test.kind === "empty" && !conditionOf(this.#before, first)) return undefined;
    const isGuessed = !this.#isPromised || !this.#isTold;
    if (isGuessed && this.#tagsBefore.has(keyOf(tag, place.within))) return undefined;
    if (first !== "." && !this.#isAddedAlike(first, place)) return missing(tag);
    const before = place.before.resolve(tag.name);
    const after = place.after.resolve(tag.name);
    // What neither contract has an answer to is as it was.
    if (!(before instanceof Shape)) return first !== "." && after instanceof Shape ? missing(tag) : undefined;
    if (!this.#isTold) return undefined;
    if (!this.#isPromised && leadsThroughList(tag.name, place.before)) return missing(tag);
    if (this.#isPromised && first !== ".") {
      if (this.#isNewlyDerived(first, place)) return "is derived now: what applications pass would show instead";
      if (areApart(first, place)) return "would show the one of another section";
    }
    return after instanceof Shape ? this.#otherKind(tag, before, after) : undefined;
  }

  /** Whether a name is none that a condition adds, or one that applications of both versions add. */
  #isAddedAlike(name: string, around: Pick<Place, "before" | "after">): boolean {
    const added = conditionOf(this.#after, name);
    if (!this.#isPromised || !this.#isTold) return true;
    const known = conditionOf(this.#before, name);
    if (!added || !known) return !added && !known;
    const { first } = toPath(added.path);
    if (JSON.stringify(meaning(added)) !== JSON.stringify(meaning(known))) return false;
    return !areApart(first, around) && this.#isAddedAlike(first, around);
  }

  #isNewlyDerived(name: string, { after }: Pick<Place, "after">): boolean {
    const isDerived = ({ derived }: VariablesContract): boolean => Object.hasOwn(derived?.properties ?? {}, name);
    return after.levelOf(name) === 0 && isDerived(this.#after) && !isDerived(this.#before);
  }

  #otherKind(tag: Tag, before: Shape, after: Shape): string | undefined {
    const [were, are] = [kindsOf(before), kindsOf(after)];
    if (were.length === 0 || are.length === 0) return undefined;
    const isSection = tag.kind === "section";
    const asks = isSection && are.every(isAsked);
    const goesThrough = isSection && !are.some(isAsked);
    // Without a contract, applications may pass any kind that the old tags fit. A section renders an object as it does a list.
    const fits = this.#isPromised
      ? were.some((kind) => are.includes(kind) || (asks && kind !== "a list"))
      : were.every((kind) => are.includes(kind) || (asks ? kind !== "a list" : goesThrough && !isAsked(kind)));
    if (fits) return undefined;
    return `was ${were.join(" or ")}, ${isSection ? "is used" : "is printed"} as ${are.join(" or ")}`;
  }
}

/** Whether the two contracts have a name in different sections. */
function areApart(name: string, { before, after }: Pick<Place, "before" | "after">): boolean {
  const [there, here] = [before.levelOf(name), after.levelOf(name)];
  return there !== undefined && here !== undefined && there !== here;
}

/** Whether a dotted name finds nothing where what comes before a dot is a list, as it may be. */
function leadsThroughList(name: string, around: Surroundings): boolean {
  const parts = name === "." ? [] : name.split(".");
  return parts.slice(1).some((_, index) => {
    const holder = around.resolve(parts.slice(0, index + 1).join("."));
    return holder instanceof Shape && kindsOf(holder).includes("a list");
  });
}

/** Whether a section over it is shown once, or not. */
function isAsked(kind: Kind): boolean {
  return kind === "a text" || kind === "true or false";
}

function missing(tag: Tag): string {
  if (tag.kind === "variable") return "would be blank";
  return tag.inverted ? "its section would always show" : "its section would never show";
}

function inside({ name }: SectionNode, place: Place): Place {
  const { before, after, path } = place;
  const [there, here] = [valueAt(before, name), valueAt(after, name)];
  const kinds = kindsOf(here).length > 0 ? kindsOf(here) : kindsOf(there);
  const leads = kinds.length === 0 || kinds.some((kind) => !isAsked(kind));
  const step = pathOf(name, place) + (kinds.includes("a list") ? "[]" : "");
  return {
    before: before.within(there),
    after: after.within(here),
    within: [...place.within, name],
    path: [...path, leads ? step : (path.at(-1) ?? "")],
  };
}

function valueAt(around: Surroundings, name: string): Shape {
  const value = around.resolve(name);
  return value instanceof Shape ? value : Shape.UNKNOWN;
}

/** A name with the sections that lead to where it is meant to be found. */
function pathOf(name: string, { before, after, path }: Place): string {
  const { first } = toPath(name);
  const level = first === "." ? undefined : (after.levelOf(first) ?? before.levelOf(first));
  const holder = (level === undefined ? path.at(-1) : path[level - 1]) ?? "";
  if (name === ".") return holder || name;
  return holder === "" ? name : `${holder}.${name}`;
}

/** All tags, with the names of the sections around each. */
function tagsIn(
  nodes: readonly MustacheNode[],
  within: readonly string[] = [],
): { readonly tag: Tag; readonly within: readonly string[] }[] {
  return nodes.flatMap((node) => {
    if (node.kind === "variable") return [{ tag: node, within }];
    if (node.kind !== "section") return [];
    return [{ tag: node, within }, ...tagsIn(node.children, node.inverted ? within : [...within, node.name])];
  });
}

function keyOf(tag: Tag, within: readonly string[]): string {
  const use = tag.kind === "variable" ? "printed" : tag.inverted ? "absent" : "shown";
  return JSON.stringify([use, ...within, tag.name]);
}

function conditionOf({ conditions }: VariablesContract, name: string): Condition | undefined {
  return conditions.find((condition) => condition.name === name);
}

/** In one order of keys, whoever wrote it. */
function meaning({ within, path, test }: Condition): unknown {
  return [within, path, Object.entries(test).toSorted(([a], [b]) => (a < b ? -1 : 1))];
}
