import { unitsOf } from "../../cases/merge.js";
import type { Test } from "../runtime/symbolic.js";
import { keysOf } from "./part-keys.js";
import type { Part } from "./tree.js";

const PLACEHOLDER = /^\uE002(\d+)\uE003$/;
const PLACEHOLDERS = /(\uE002\d+\uE003)/;

/**
 * Writes parts as HTML with placeholders for all parts that aren't text. Parts that print the same have the same
 * placeholder, so that the results can be compared as strings.
 */
export class Spelling {
  readonly #parts: Part[] = [];
  readonly #numbers = new Map<string, number>();

  /** Tags (with the placeholders in them), texts, and placeholders. */
  units(parts: readonly Part[]): string[] {
    const text = parts.map((part) => (part.kind === "text" ? part.text : this.#placeholder(part))).join("");
    return unitsOf(text);
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
    const key = keysOf([part]);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#parts.push(part) - 1;
      this.#numbers.set(key, number);
    }
    return `\uE002${number}\uE003`;
  }
}
