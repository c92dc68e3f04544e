import { parse, type MustacheNode } from "./parse.js";
import { Scope } from "./scope.js";
import type { Condition, VariablesContract } from "./variables.js";

/**
 * The derived variables that every example has and that tags print without testing anywhere whether they are there: if
 * `derive` omits one, the message has a gap. Variables in sections over a condition are deliberate; a section over a list
 * does not test its items.
 *
 * @param texts All of a template's bodies.
 */
export function printedDerived(texts: readonly string[], contract: VariablesContract): string[] {
  const { derived, conditions } = contract;
  if (!derived) return [];
  const variables = Scope.of(contract);
  const added = new Set(conditions.map(({ name }) => name));
  const printed = new Set<string>();
  const tested = new Set(
    conditions
      .filter(({ test }) => !isAboutPlace(test))
      .map(({ within, path }) => variables.inside(within).find(path)?.path),
  );
  const read = (nodes: readonly MustacheNode[], scope: Scope): void => {
    for (const node of nodes) {
      if ((node.kind !== "variable" && node.kind !== "section") || added.has(node.name)) continue;
      const variable = scope.find(node.name);
      if (!variable) continue;
      const { path, mayBeAbsent, shape } = variable;
      if (node.kind === "variable") {
        if (!mayBeAbsent) printed.add(path);
      } else if (!node.inverted && shape.isKnown && shape.kinds.every(({ type }) => type === "array")) {
        read(node.children, scope.within(node.name));
      } else tested.add(path);
    }
  };
  for (const text of texts) read(parse(text).nodes, variables);
  const isDerived = (path: string): boolean => Object.hasOwn(derived.properties ?? {}, /^[^.[]*/.exec(path)?.[0] ?? "");
  const isTested = (path: string): boolean =>
    tested.has(path) || [...tested].some((other) => path.startsWith(`${other}.`));
  return [...printed].filter((path) => isDerived(path) && !isTested(path)).toSorted();
}

/** The position of an item says nothing about its content. */
function isAboutPlace({ kind }: Condition["test"]): boolean {
  return kind === "among-first" || kind === "among-last";
}
