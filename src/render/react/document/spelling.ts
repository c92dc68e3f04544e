import { pathKey, testKey } from "../runtime/facts.js";
import type { Path, Test } from "../runtime/symbolic.js";
import type { Part } from "./tree.js";

const PLACEHOLDER = /^\uE002(\d+)\uE003$/;
const PLACEHOLDERS = /(\uE002\d+\uE003)/;
const UNIT = /<!--[\s\S]*?-->|<[^>]*>|\uE002\d+\uE003|[^<\uE002]+|</g;

/**
 * Writes parts as html in which each part that is no text is one placeholder, the same for parts that print the same: so
 * that two can be compared as texts.
 */
export class Spelling {
  readonly #parts: Part[] = [];
  readonly #numbers = new Map<string, number>();

  /** Tags (with the placeholders in them), texts, and placeholders. */
  units(parts: readonly Part[]): string[] {
    const text = parts.map((part) => (part.kind === "text" ? part.text : this.#placeholder(part))).join("");
    return text.match(UNIT) ?? [];
  }

  parts(units: readonly string[]): Part[] {
    return units
      .join("")
      .split(PLACEHOLDERS)
      .flatMap((text): Part[] => {
        const number = PLACEHOLDER.exec(text)?.[1];
        const part = number === undefined ? undefined : this.#parts[Number(number)];
        if (part) return [part];
        return text === "" ? [] : [{ kind: "text", text }];
      });
  }

  alternative(test: Test, yes: string, no: string): string {
    return this.#placeholder({ kind: "alternative", test, yes: this.parts([yes]), no: this.parts([no]) });
  }

  #placeholder(part: Part): string {
    const key = partKey(part, new Map());
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#parts.push(part) - 1;
      this.#numbers.set(key, number);
    }
    return `\uE002${number}\uE003`;
  }
}

/** The same for two parts that print the same, although they come from two runs of the same code. */
function partKey(part: Part, loops: ReadonlyMap<number, number>): string {
  if (part.kind === "text") return JSON.stringify(part.text);
  if (part.kind === "value") return `${part.raw ? "raw" : "value"}(${nameKey(part.path, loops)})`;
  if (part.kind === "missing") return `missing(${nameKey(part.path, loops)})`;
  if (part.kind === "each") {
    const inner = new Map([...loops, [part.loop.id, loops.size] as const]);
    return `each(${nameKey(part.loop.list, loops)})[${keysOf(part.body, inner)}]`;
  }
  const test = testKey({ ...part.test, path: renamed(part.test.path, loops) });
  return `if(${test})[${keysOf(part.yes, loops)}][${keysOf(part.no, loops)}]`;
}

function keysOf(parts: readonly Part[], loops: ReadonlyMap<number, number>): string {
  return parts.map((part) => partKey(part, loops)).join(",");
}

function nameKey(path: Path, loops: ReadonlyMap<number, number>): string {
  return pathKey(renamed(path, loops));
}

/** Loops by their depth instead of their number. */
function renamed(path: Path, loops: ReadonlyMap<number, number>): Path {
  const depth = path.loop && loops.get(path.loop.id);
  return path.loop && depth !== undefined ? { ...path, loop: { ...path.loop, id: -1 - depth } } : path;
}
