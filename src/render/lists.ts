import type { ConditionNames } from "../mustache/condition-names.js";
import { isSelection } from "../mustache/conditions.js";
import type { VariablesContract } from "../mustache/variables.js";
import { isList, shapeAt } from "./scopes.js";
import { enclosingSections, nameOf, scopeNames, tokensIn } from "./sections.js";
import type { Tokenised } from "./tokenised.js";

/** What is known about the sections of a body that repeat. Sections are given by the numbers of their opening tags. */
export interface Lists {
  /** Whether a section repeats; what is not known counts as not. */
  readonly isList: (opening: number) => boolean;
  /** The name of the boolean that says whether a list has items; undefined where there can be none. */
  readonly hasItems: (opening: number) => string | undefined;
  /** Whether all that is sent has such booleans, because the html needs some. */
  readonly areAsked: boolean;
  /** The name of the boolean that says in a list whether an item is the last one; undefined where there can be none. */
  readonly isLast: (opening: number) => string | undefined;
}

export function listsOf(body: Tokenised, contract: VariablesContract, names: ConditionNames): Lists {
  const answers = new Set(names.list.flatMap(({ name, test }) => (isSelection(test) ? [] : [name])));
  const sections = enclosingSections(
    tokensIn(body.text).map(({ tag }) => tag),
    body.tags,
  );
  const around = new Map(sections.map((section) => [section.tag, section.around]));
  const placeOf = (opening: number) => ({
    // A section over true or false does not change what names stand for.
    within: scopeNames(around.get(opening) ?? [], body.tags).filter((name) => !answers.has(name)),
    path: nameOf(body.tags[opening]),
  });
  /** A list again, with its items in objects, is about a list that has a place of its own. */
  const objectsAt = (path: string) => names.list.find(({ name, test }) => name === path && test.kind === "items");
  const shapeOf = (opening: number) => {
    const { within, path } = placeOf(opening);
    return shapeAt(contract, within, path);
  };
  return {
    areAsked: names.list.some(({ test }) => test.kind !== "empty"),
    isList(opening) {
      return objectsAt(nameOf(body.tags[opening])) !== undefined || isList(shapeOf(opening));
    },
    hasItems(opening) {
      const place = placeOf(opening);
      // A list that is itself an item has no place beside it for a boolean.
      if (place.path === ".") return undefined;
      const { within, path } = objectsAt(place.path) ?? place;
      return names.nameFor({ within, path, test: { kind: "has-items" } });
    },
    isLast(opening) {
      const { within, path } = placeOf(opening);
      const items = shapeOf(opening)?.items();
      const areObjects = objectsAt(path) !== undefined || (items?.isKnown && items.kinds.every(isObject));
      if (!areObjects) return undefined;
      return names.nameFor({ within: [...within, path], path: ".", test: { kind: "among-last", count: 1 } });
    },
  };
}

function isObject({ type }: { readonly type?: unknown }): boolean {
  return type === "object";
}
