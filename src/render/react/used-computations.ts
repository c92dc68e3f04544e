import type { Part } from "./document/tree.js";
import { hasFreeParameter } from "./runtime/expression.js";
import { isKey } from "./runtime/computations.js";
import type { Finding, Rendering, Token } from "./runtime/rendering.js";
import type { Path } from "./runtime/symbolic.js";

/** The computations whose results a rendered document contains, as findings: only `derive` can compute them. */
export function usedComputations(parts: readonly Part[], { computed, findings }: Rendering): Finding[] {
  const keys = new Set([...parts.flatMap(keysOfPart), ...findings.flatMap(keysOfFinding)]);
  return findingsOf(keys, computed);
}

/** The same if the rendered output can't be read. */
export function startedComputations({ tokens, computed, findings }: Rendering): Finding[] {
  return findingsOf(new Set([...tokens.flatMap(keysOfToken), ...findings.flatMap(keysOfFinding)]), computed);
}

function findingsOf(keys: ReadonlySet<string>, computed: Rendering["computed"]): Finding[] {
  const all = [...computed.all.values()];
  const used = all.filter(({ key }) => keys.has(key));
  const written = used.map(({ expression }) => JSON.stringify(expression)).join();
  const lost = all.filter(
    ({ expression, changesVariable }) => changesVariable && !written.includes(JSON.stringify(expression)),
  );
  return [
    ...used.map((computation): Finding => {
      const { key, problem, expression, site } = computation;
      const at = site && { site };
      if (hasFreeParameter(expression)) return { problem: CARRIED, hint: RETURN, ...at };
      return computed.isChanged(key) ? { problem: CHANGED, hint: COPY, ...at } : { problem, computation, ...at };
    }),
    ...lost.map(({ problem, site }): Finding => ({ problem, hint: COPY, ...(site && { site }) })),
  ];
}

const CARRIED = "is used outside the function that a list's method calls with it";
const RETURN = "Return all results from the function, or compute them in derive (variables.ts).";
const CHANGED = "is changed after it was computed";
const COPY = "Use the method's result, const sorted = [...list].sort(…), and leave the list unchanged.";

function keysOfPart(part: Part): string[] {
  if (part.kind === "text") return [];
  if (part.kind === "each") return [...keysOfPath(part.loop.list), ...part.body.flatMap(keysOfPart)];
  if (part.kind !== "alternative") return keysOfPath(part.path);
  return [...keysOfPath(part.test.path), ...[...part.yes, ...part.no].flatMap(keysOfPart)];
}

function keysOfToken(token: Token): string[] {
  if (token.kind === "close") return [];
  if (token.kind === "each" || token.kind === "again") return keysOfPath(token.loop.list);
  return keysOfPath(token.kind === "case" ? token.test.path : token.path);
}

function keysOfPath({ names, loop }: Path): string[] {
  return [...names.filter(isKey), ...(loop ? keysOfPath(loop.list) : [])];
}

function keysOfFinding({ variable }: Finding): string[] {
  return variable ? [...variable.names, ...variable.lists.flat()].filter(isKey) : [];
}
