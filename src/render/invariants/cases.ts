import { readQuestion } from "../../mustache/condition-forms.js";
import { isSelection } from "../../mustache/complete.js";
import { Scope } from "../../mustache/scope.js";
import { Shape } from "../../mustache/shape.js";
import {
  enclosingSections,
  fillSections,
  isInverted,
  tagName,
  roleOf,
  tagsIn,
  type TagTable,
} from "../../mustache/tokens.js";
import type { VariablesContract } from "../../mustache/variables.js";

/** What a section tests. */
export interface Tested {
  /** The same for all sections that are always shown together, or never together if one is inverted. */
  readonly key: string;
  /** Whether it may be shown more than once. */
  readonly mayRepeat: boolean;
  /** Whether names in it may resolve to members of the tested value. */
  readonly hasMembers: boolean;
}

/** By the numbers of the sections' opening tags. */
export type TestedSections = ReadonlyMap<number, Tested>;

/**
 * What the sections of a body test, as far as a contract tells. Without one, nothing is assumed to repeat.
 *
 * Two sections test the same value if they look up the same name in the same contexts: filling changes nothing.
 */
export function testedSections(html: string, tags: TagTable, contract?: VariablesContract): TestedSections {
  const tested = new Map<number, Tested>();
  const booleans = new Set(contract?.conditions.flatMap(({ name, test }) => (isSelection(test) ? [] : [name])));
  const variables = contract && Scope.of(contract, { unknownHides: false });
  /** The context that each section opens. */
  const contexts = new Map<number, { readonly name: string; readonly id: string; readonly isKnown: boolean }>();
  const numbers = tagsIn(html);
  for (const { tag, around } of enclosingSections(numbers, tags)) {
    if (roleOf(tags[tag]) !== "opens") continue;
    const name = tagName(tags[tag]);
    const test = tags[tag]?.test ?? readQuestion(name)?.test;
    const entered = around.flatMap((section) => contexts.get(section) ?? []);
    const key = JSON.stringify([...entered.map(({ id }) => id), name, test]);
    const within = entered.map((context) => context.name);
    const shape = !variables || test || booleans.has(name) ? BOOLEAN : variables.inside(within).find(name)?.shape;
    const isKnown = shape?.isKnown === true && entered.every((context) => context.isKnown);
    const mayRepeat = !isKnown || shape.mayBeList;
    const hasMembers = mayRepeat || shape.kinds.some(({ type, properties }) => type === "object" || properties);
    const differs = tested.has(tag) && tested.get(tag)?.key !== key;
    // A compiler may print a tag in several places.
    tested.set(tag, differs ? { key: `${key} ${tag}`, mayRepeat: true, hasMembers } : { key, mayRepeat, hasMembers });
    if (hasMembers && !isInverted(tags[tag])) contexts.set(tag, { name, id: mayRepeat ? String(tag) : key, isKnown });
  }
  return tested;
}

const BOOLEAN = Shape.of({ type: "boolean" });

/** A body in the case that a condition is true, or false. Sections that may repeat are kept where it is true. */
export function inCase(html: string, tags: TagTable, { key, isTrue, sections }: Case): string {
  return fillSections(html, tags, (opening) => {
    const tested = sections.get(opening);
    if (tested?.key !== key) return undefined;
    const isOpposite = isInverted(tags[opening]);
    if (isOpposite === isTrue) return 0;
    return tested.mayRepeat && !isOpposite ? undefined : 1;
  });
}

export interface Case {
  readonly key: string;
  readonly isTrue: boolean;
  readonly sections: TestedSections;
}
