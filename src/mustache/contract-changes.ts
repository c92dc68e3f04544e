import { addedBy } from "./complete.js";
import { toPath } from "./lookup.js";
import { type MustacheNode, parse, type SectionNode, type VariableNode } from "./parse.js";
import { type Misuse, Scope } from "./scope.js";
import { Shape } from "./shape.js";
import type { Condition, VariablesContract, VariablesSchema } from "./variables.js";
import { gatherEvidence } from "./infer.js";

/** How a tag uses a value: strings and numbers are printed alike. */
type Kind = "a string or number" | "true or false" | "an object" | "a list";

/** The kinds of values that a name may refer to; empty if unknown. */
function kindsOf(value: Shape | Misuse): Kind[] {
  if (!(value instanceof Shape) || !value.isKnown) return [];
  const kindsFound = value.kinds.flatMap((schema) => typesOf(schema).map((type) => KINDS[type]));
  return kindsFound.includes(undefined) ? [] : [...new Set(kindsFound.flatMap((kind) => kind ?? []))];
}

const KINDS: Readonly<Record<string, Kind | undefined>> = {
  string: "a string or number",
  number: "a string or number",
  integer: "a string or number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
};

/** Null doesn't count: it is the absence of a value. */
function typesOf({ type, properties, enum: values, const: value }: VariablesSchema): string[] {
  if (type !== undefined) return type === "null" ? [] : [type];
  if (properties) return ["object"];
  return [...(values ?? []), value].flatMap((each) => (each === null || each === undefined ? [] : [typeof each]));
}

/** The bodies of a template, and the contract they are filled by; if it is unknown, the tags imply one. */
export interface ReadTexts {
  readonly texts: readonly string[];
  readonly contract?: VariablesContract;
}

/** A tag that prints or shows something unintended when it is filled by another contract. */
export interface ContractChange {
  /** The path with the sections around it: `order.items[].price`. */
  readonly variable: string;
  /** What would happen, in a few words. */
  readonly effect: string;
}

/**
 * Finds what goes wrong when variables of one version fill the tags of another: names that resolve to nothing or to
 * something else, and values of another type. What a schema leaves open is not reported.
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

/** The scope of a tag in each of the two contracts. */
interface Place {
  readonly before: Scope;
  readonly after: Scope;
  /** The names of the sections around it. */
  readonly within: readonly string[];
  /** The paths of the sections around it that enter another scope; one for each level. */
  readonly path: readonly string[];
}

type Tag = VariableNode | SectionNode;

class Comparison {
  readonly #before: VariablesContract;
  readonly #after: VariablesContract;
  /** Whether the earlier contract is known rather than implied by its tags. */
  readonly #isBeforeKnown: boolean;
  /** Whether the later contract is known rather than implied by its tags. */
  readonly #isAfterKnown: boolean;
  /** The tags of the earlier bodies, with the sections around them. */
  readonly #tagsBefore: ReadonlySet<string>;
  readonly #namesBefore: ReadonlySet<string>;
  readonly #effects = new Map<string, string>();

  constructor(before: ReadTexts, after: ReadTexts) {
    this.#before = before.contract ?? contractRead(before.texts);
    this.#after = after.contract ?? contractRead(after.texts);
    this.#isBeforeKnown = before.contract !== undefined;
    this.#isAfterKnown = after.contract !== undefined;
    const tags = before.texts.flatMap((text) => tagsIn(parse(text).nodes));
    this.#tagsBefore = new Set(tags.map(({ tag, within: around }) => keyOf(tag, around)));
    this.#namesBefore = new Set(tags.map(({ tag }) => tag.name));
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
      if (effect !== undefined) this.#note(node, place, effect);
      if (node.kind === "section") this.read(node.children, node.inverted ? place : inside(node, place));
    }
  }

  #note({ name }: Tag, place: Place, effect: string): void {
    const computed = this.#recomputed(toPath(name).first, place);
    const variable = computed?.variable ?? pathOf(name, place);
    if (!this.#effects.has(variable))
      this.#effects.set(variable, computed ? `${computed.how}, so ${effect.replace(/^would/, "it would")}` : effect);
  }

  /** How a computed value that a name depends on has changed, with the variable that it is computed from. */
  #recomputed(name: string, place: Place): { readonly variable: string; readonly how: string } | undefined {
    const condition = conditionOf(this.#after, name);
    const isAlike = this.#isBeforeKnown ? this.#isAddedAlike(name, place) : this.#namesBefore.has(name);
    if (!condition || isAlike) return undefined;
    if (condition.test.kind !== "computed") return this.#recomputed(toPath(condition.path).first, place);
    const [before, after] = [this.#before, this.#after].map((contract) => Scope.of(contract));
    const variables = after?.dependenciesOf(condition).map(({ path }) => path) ?? [];
    const subject = name.replace(/__[^_]+$/, "__");
    const wasComputed = this.#isBeforeKnown
      ? addedBy(this.#before).some(
          (other) =>
            other.test.kind === "computed" &&
            before?.dependenciesOf(other).some(({ path }) => variables.includes(path)),
        )
      : [...this.#namesBefore].some((other) => other.startsWith(subject));
    const how = wasComputed ? "is computed differently" : "is used in a new computation";
    return { variable: variables[0] ?? name, how };
  }

  get #outermost(): Place {
    return { before: Scope.of(this.#before), after: Scope.of(this.#after), within: [], path: [] };
  }

  #effectOf(tag: Tag, place: Place): string | undefined {
    const { first } = toPath(tag.name);
    if (conditionOf(this.#after, first)?.test.kind === "empty" && !conditionOf(this.#before, first)) return undefined;
    const isGuessed = !this.#isBeforeKnown || !this.#isAfterKnown;
    if (isGuessed && this.#tagsBefore.has(keyOf(tag, place.within))) return undefined;
    if (first !== "." && !this.#isAddedAlike(first, place)) return missing(tag);
    const before = place.before.resolve(tag.name);
    const after = place.after.resolve(tag.name);
    // A name that neither contract resolves has not changed.
    if (!(before instanceof Shape)) return first !== "." && after instanceof Shape ? missing(tag) : undefined;
    if (!this.#isAfterKnown) return undefined;
    if (!this.#isBeforeKnown && leadsThroughList(tag.name, place.before)) return missing(tag);
    if (this.#isBeforeKnown && first !== ".") {
      if (this.#isNewlyDerived(first, place)) return "is derived now; older applications' own value would show instead";
      if (areInDifferentSections(first, place)) return "would show the value of another section";
    }
    return after instanceof Shape ? this.#otherKind(tag, before, after) : undefined;
  }

  /** Whether a name is not added by a condition, or is added by the same condition in both contracts. */
  #isAddedAlike(name: string, around: Pick<Place, "before" | "after">): boolean {
    const added = conditionOf(this.#after, name);
    if (!this.#isBeforeKnown || !this.#isAfterKnown) return true;
    const known = conditionOf(this.#before, name);
    if (!added || !known) return !added && !known;
    const { first } = toPath(added.path);
    if (JSON.stringify(meaning(added)) !== JSON.stringify(meaning(known))) return false;
    return !areInDifferentSections(first, around) && this.#isAddedAlike(first, around);
  }

  #isNewlyDerived(name: string, { after }: Pick<Place, "after">): boolean {
    const isDerived = ({ derived }: VariablesContract): boolean => Object.hasOwn(derived?.properties ?? {}, name);
    return after.depthOf(name) === 0 && isDerived(this.#after) && !isDerived(this.#before);
  }

  #otherKind(tag: Tag, before: Shape, after: Shape): string | undefined {
    const [kindsBefore, kindsAfter] = [kindsOf(before), kindsOf(after)];
    if (kindsBefore.length === 0 || kindsAfter.length === 0) return undefined;
    const isSection = tag.kind === "section";
    const tests = isSection && kindsAfter.every(isTested);
    const iterates = isSection && !kindsAfter.some(isTested);
    // Without a contract, applications may pass any type that suits the old tags. A section renders an object like a list of one.
    const fits = this.#isBeforeKnown
      ? kindsBefore.some((kind) => kindsAfter.includes(kind) || (tests && kind !== "a list"))
      : kindsBefore.every(
          (kind) => kindsAfter.includes(kind) || (tests ? kind !== "a list" : iterates && !isTested(kind)),
        );
    if (fits) return undefined;
    return `was ${kindsBefore.join(" or ")}, ${isSection ? "is used" : "is printed"} as ${kindsAfter.join(" or ")}`;
  }
}

/** Whether the two contracts have a name in different sections. */
function areInDifferentSections(name: string, { before, after }: Pick<Place, "before" | "after">): boolean {
  const [valueBefore, valueAfter] = [before.depthOf(name), after.depthOf(name)];
  return valueBefore !== undefined && valueAfter !== undefined && valueBefore !== valueAfter;
}

/** Whether a dotted name may resolve to nothing because a part before a dot may be a list. */
function leadsThroughList(name: string, scope: Scope): boolean {
  const parts = name === "." ? [] : name.split(".");
  return parts.slice(1).some((_, index) => {
    return kindsOf(scope.resolve(parts.slice(0, index + 1).join("."))).includes("a list");
  });
}

/** Whether a section over it is shown once or not at all. */
function isTested(kind: Kind): boolean {
  return kind === "a string or number" || kind === "true or false";
}

function missing(tag: Tag): string {
  if (tag.kind === "variable") return "would be blank";
  return tag.inverted ? "its section would always show" : "its section would never show";
}

function inside({ name }: SectionNode, place: Place): Place {
  const { before, after, path } = place;
  const kindsAfter = kindsOf(after.resolve(name));
  const kinds = kindsAfter.length > 0 ? kindsAfter : kindsOf(before.resolve(name));
  const leads = kinds.length === 0 || kinds.some((kind) => !isTested(kind));
  const step = pathOf(name, place) + (kinds.includes("a list") ? "[]" : "");
  return {
    before: before.within(name),
    after: after.within(name),
    within: [...place.within, name],
    path: [...path, leads ? step : (path.at(-1) ?? "")],
  };
}

/** A name with the path of the sections that lead to it. */
function pathOf(name: string, { before, after, path }: Place): string {
  const { first } = toPath(name);
  const level = first === "." ? undefined : (after.depthOf(first) ?? before.depthOf(first));
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

function conditionOf(contract: VariablesContract, name: string): Condition | undefined {
  return addedBy(contract).find((condition) => condition.name === name);
}

/** With sorted keys, so that the order in which they were written doesn't matter. */
function meaning({ within, path, test }: Condition): unknown {
  return [within, path, Object.entries(test).toSorted(([a], [b]) => (a < b ? -1 : 1))];
}

/**
 * The contract that bodies imply by themselves: the names that their tags read, each in its scope. A section without
 * further evidence may be over a list or an object.
 */
function contractRead(texts: readonly string[]): VariablesContract {
  const evidence = gatherEvidence({ texts, examples: [], conditions: [], ownNames: [] });
  return { input: evidence.toObjectSchema("unknown"), conditions: [] };
}
