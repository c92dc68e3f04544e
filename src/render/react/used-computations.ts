import type { Part } from "./document/tree.js";
import { isKey } from "./runtime/computations.js";
import type { Finding, Rendering, Token } from "./runtime/rendering.js";
import type { Path } from "./runtime/symbolic.js";

/** The computations whose results a rendered document is made of, as findings: only `derive` can give them. */
export function usedComputations(parts: readonly Part[], { computed, findings }: Rendering): Finding[] {
  const keys = new Set([...parts.flatMap(keysOfPart), ...findings.flatMap(keysOfFinding)]);
  return findingsOf(keys, computed);
}

/** The same where nothing could be read of what was rendered. */
export function begunComputations({ tokens, computed, findings }: Rendering): Finding[] {
  return findingsOf(new Set([...tokens.flatMap(keysOfToken), ...findings.flatMap(keysOfFinding)]), computed);
}

function findingsOf(keys: ReadonlySet<string>, { all }: Rendering["computed"]): Finding[] {
  return [...all.values()]
    .filter(({ key }) => keys.has(key))
    .map((computation) => {
      const { problem, site } = computation;
      return { problem, computation, ...(site && { site }) };
    });
}

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
