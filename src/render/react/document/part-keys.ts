import { withoutSites } from "../../source/sites.js";
import { pathKey, testKey } from "../runtime/facts.js";
import type { Path } from "../runtime/symbolic.js";
import type { Part } from "./tree.js";

/** The same key for parts that print the same, although they come from two runs of the same code. */
export function keysOf(parts: readonly Part[], loops: ReadonlyMap<number, number> = new Map()): string {
  return parts.map((part) => partKey(part, loops)).join(",");
}

function partKey(part: Part, loops: ReadonlyMap<number, number>): string {
  if (part.kind === "text") return JSON.stringify(withoutSites(part.text));
  if (part.kind === "value") return `${part.raw ? "raw" : "value"}(${nameKey(part.path, loops)})`;
  if (part.kind === "missing") return `missing ${part.word}(${nameKey(part.path, loops)})`;
  if (part.kind === "each") {
    const inner = new Map([...loops, [part.loop.id, loops.size] as const]);
    return `each(${nameKey(part.loop.list, loops)})[${keysOf(part.body, inner)}]`;
  }
  const test = testKey({ ...part.test, path: renamed(part.test.path, loops) });
  return `if(${test})[${keysOf(part.yes, loops)}][${keysOf(part.no, loops)}]`;
}

function nameKey(path: Path, loops: ReadonlyMap<number, number>): string {
  return pathKey(renamed(path, loops));
}

/** Identifies loops by their depth instead of their number. */
function renamed(path: Path, loops: ReadonlyMap<number, number>): Path {
  const depth = path.loop && loops.get(path.loop.id);
  return path.loop && depth !== undefined ? { ...path, loop: { ...path.loop, id: -1 - depth } } : path;
}
