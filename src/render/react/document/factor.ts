import { pathKey } from "../runtime/facts.js";
import { mergeDocuments } from "./documents.js";
import { type Choose, merge, unitsOf } from "../../merge-cases.js";
import type { Alternative, Part } from "./tree.js";
import type { Test } from "../runtime/symbolic.js";
import { keysOf } from "./part-keys.js";

/**
 * Moves what both cases have in common out of every alternative, so that a choice around a whole element is reduced to
 * the difference: `{{#a}}<p class="x">Hi</p>{{/a}}{{^a}}<p class="y">Hi</p>{{/a}}` becomes
 * `<p class="{{#a}}x{{/a}}{{^a}}y{{/a}}">Hi</p>`. No element is opened in one section and closed in another.
 */
export function factor(parts: readonly Part[]): Part[] {
  return parts.flatMap((part): Part[] => {
    if (part.kind === "each") return [{ ...part, body: factor(part.body) }];
    if (part.kind !== "alternative") return [part];
    const { test } = part;
    const factored: Alternative = { kind: "alternative", test, yes: factor(part.yes), no: factor(part.no) };
    return testsOnlyForItems(factored) ? [...factored.yes] : factorAlternative(factored);
  });
}

/** A section over a list already tests whether the list, and the object that contains it, exist. */
function testsOnlyForItems({ test, yes, no }: Alternative): boolean {
  const [only, ...others] = yes;
  if (only?.kind !== "each" || others.length + no.length > 0) return false;
  if (!["has-items", "present", "truthy"].includes(test.question.kind)) return false;
  const [list, tested] = [pathKey(only.loop.list), pathKey(test.path)];
  return list === tested || (test.question.kind === "present" && list.startsWith(`${tested}.`));
}

function factorAlternative(part: Alternative): Part[] {
  const spelling = new Spelling();
  const choose: Choose = (yes, no) => spelling.alternative(part.test, yes, no);
  const [yes, no] = [spelling.units(part.yes), spelling.units(part.no)];
  const merged = mergeDocuments(yes, no, choose) ?? merge(yes, no, choose);
  return merged ? spelling.parts(merged) : [part];
}

const PLACEHOLDER = /^\uE002(\d+)\uE003$/;
const PLACEHOLDERS = /(\uE002\d+\uE003)/;

/**
 * Writes parts as HTML with placeholders for all parts that aren't text. Parts that print the same have the same
 * placeholder, so that the results can be compared as strings.
 */
class Spelling {
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
