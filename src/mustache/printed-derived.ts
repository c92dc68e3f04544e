import { parse, type MustacheNode } from "./parse.js";
import { Scope } from "./scope.js";
import type { Condition, VariablesContract } from "./variables.js";

/**
 * The derived variables that are there in every example, and that tags print without asking anywhere whether they are: where
 * `derive` forgets one, a gap is left. What stands in a section that asks something was thought of; a section over a list asks
 * nothing of its items.
 *
 * @param texts All of a template's bodies.
 */
export function printedDerived(texts: readonly string[], contract: VariablesContract): string[] {
  const { derived, conditions } = contract;
  if (!derived) return [];
  const variables = Scope.of(contract);
  const added = new Set(conditions.map(({ name }) => name));
  const printed = new Set<string>();
  const asked = new Set(
    conditions
      .filter(({ test }) => !isAboutPlace(test))
      .map(({ within, path }) => within.reduce((scope, name) => scope.within(name), variables).find(path)?.path),
  );
  const read = (nodes: readonly MustacheNode[], scope: Scope): void => {
    for (const node of nodes) {
      if ((node.kind !== "variable" && node.kind !== "section") || added.has(node.name)) continue;
      const found = scope.find(node.name);
      if (!found) continue;
      const { path, mayBeAbsent, shape } = found;
      if (node.kind === "variable") {
        if (!mayBeAbsent) printed.add(path);
      } else if (!node.inverted && shape.isKnown && shape.kinds.every(({ type }) => type === "array")) {
        read(node.children, scope.within(node.name));
      } else asked.add(path);
    }
  };
  for (const text of texts) read(parse(text).nodes, variables);
  const isDerived = (path: string): boolean => Object.hasOwn(derived.properties ?? {}, /^[^.[]*/.exec(path)?.[0] ?? "");
  const isAsked = (path: string): boolean =>
    asked.has(path) || [...asked].some((other) => path.startsWith(`${other}.`));
  return [...printed].filter((path) => isDerived(path) && !isAsked(path)).toSorted();
}

/** Which item it is says nothing of what is in it. */
function isAboutPlace({ kind }: Condition["test"]): boolean {
  return kind === "among-first" || kind === "among-last";
}
