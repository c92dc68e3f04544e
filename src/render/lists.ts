import type { ConditionNames } from "../mustache/condition-names.js";
import { isSelection } from "../mustache/complete.js";
import { Scope } from "../mustache/scope.js";
import type { VariablesContract } from "../mustache/variables.js";
import { enclosingSections, nameOf, scopeNames, type Tokenised, tokensIn } from "../mustache/tokens.js";

/** What is known about the repeating sections of a body. Sections are identified by the numbers of their opening tags. */
export interface Lists {
  /** Whether a section repeats; false if unknown. */
  readonly isList: (opening: number) => boolean;
  /** The name of the boolean that says whether a list has items; undefined if there can't be one. */
  readonly hasItems: (opening: number) => string | undefined;
  /** Whether filling adds such booleans anyway, because the HTML needs some. */
  readonly areUsed: boolean;
  /** The name of the boolean that says in a list whether an item is the last one; undefined if there can't be one. */
  readonly isLast: (opening: number) => string | undefined;
}

export function listsOf(body: Tokenised, contract: VariablesContract, names: ConditionNames): Lists {
  const booleans = new Set(names.list.flatMap(({ name, test }) => (isSelection(test) ? [] : [name])));
  const sections = enclosingSections(
    tokensIn(body.text).map(({ tag }) => tag),
    body.tags,
  );
  const around = new Map(sections.map((section) => [section.tag, section.around]));
  const placeOf = (opening: number) => ({
    // A section over a boolean does not change what names refer to.
    within: scopeNames(around.get(opening) ?? [], body.tags).filter((name) => !booleans.has(name)),
    path: nameOf(body.tags[opening]),
  });
  /** A copied list with wrapped items stands for a list with a path of its own. */
  const objectsAt = (path: string) => names.list.find(({ name, test }) => name === path && test.kind === "items");
  const variables = Scope.of(contract, { unknownHides: false });
  const shapeOf = (opening: number) => {
    const { within, path } = placeOf(opening);
    return variables.inside(within).find(path)?.shape;
  };
  return {
    areUsed: names.list.some(({ test }) => test.kind !== "empty"),
    isList(opening) {
      return objectsAt(nameOf(body.tags[opening])) !== undefined || shapeOf(opening)?.mayBeList === true;
    },
    hasItems(opening) {
      const place = placeOf(opening);
      // If a list is itself an item, there is no object to which a boolean could be added.
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
