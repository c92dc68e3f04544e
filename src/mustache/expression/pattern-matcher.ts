import { ExpressionError } from "./expression-error.js";
import type { Instruction, Program } from "./pattern-program.js";
import type { CharacterTest, ParsedPattern } from "./pattern-syntax.js";

const MOST_ALTERNATIVES = 1_000_000;
/** How often the work is counted. */
const STEPS_AT_ONCE = 1024;

export interface CompiledPattern {
  readonly pattern: Pick<ParsedPattern, "isWord" | "isSame">;
  readonly program: Program;
  readonly isUnicode: boolean;
  readonly isMultiline: boolean;
}

/** Matches a regular expression by trying alternatives one after the other, as JavaScript does, but counting. */
export class Matcher {
  readonly #compiled: CompiledPattern;
  readonly #text: string;
  readonly #spend: (steps: number) => void;
  readonly #instructions: readonly Instruction[];
  readonly #registers: number[];
  /** Where to continue if something does not match: instruction, position, length of the trail, and a limit. */
  readonly #alternatives: number[] = [];
  /** The registers that were set, each with its value before. */
  readonly #trail: number[] = [];
  #next = 0;
  #here = 0;
  #steps = 0;

  constructor(compiled: CompiledPattern, text: string, spend: (steps: number) => void) {
    this.#compiled = compiled;
    this.#text = text;
    this.#spend = spend;
    this.#instructions = compiled.program.instructions;
    this.#registers = Array.from({ length: compiled.program.registers }, () => -1);
  }

  /** The starts and ends of the groups, of the whole match first, if the text matches at this position. */
  matchAt(position: number): readonly number[] | undefined {
    this.#step();
    const { first } = this.#compiled.program;
    this.#here = position;
    if (first && !this.#take(first, false)) return undefined;
    this.#registers.fill(-1);
    this.#trail.length = 0;
    return this.#run(0, position) ? this.#registers : undefined;
  }

  /** Counts the steps that were not counted yet. */
  end(): void {
    this.#spend(this.#steps);
    this.#steps = 0;
  }

  /** Whether the instructions from `next` to the following `match` match. */
  #run(next: number, here: number): boolean {
    const bottom = this.#alternatives.length;
    this.#next = next;
    this.#here = here;
    for (;;) {
      this.#step();
      const instruction = this.#instructions[this.#next];
      this.#next += 1;
      if (!instruction || instruction.op === "match") {
        this.#alternatives.length = bottom;
        return true;
      }
      if (!this.#does(instruction) && !this.#retry(bottom)) return false;
    }
  }

  #does(instruction: Instruction): boolean {
    const here = this.#here;
    switch (instruction.op) {
      case "character":
        return this.#take(instruction.test, instruction.isBackward);
      case "characters":
        return this.#takeAll(instruction);
      case "jump":
        this.#next = instruction.to;
        return true;
      case "split":
        this.#push(instruction.second);
        this.#next = instruction.first;
        return true;
      case "save":
        this.#set(instruction.register, here);
        return true;
      case "clear":
        for (let register = instruction.from; register < instruction.end; register += 1) this.#set(register, -1);
        return true;
      case "start":
        return here === 0 || (this.#compiled.isMultiline && this.#isLineEnd(here - 1));
      case "end":
        return here === this.#text.length || (this.#compiled.isMultiline && this.#isLineEnd(here));
      case "word-boundary":
        return this.#isWord(here - 1) !== this.#isWord(here);
      case "no-word-boundary":
        return this.#isWord(here - 1) === this.#isWord(here);
      case "look": {
        const trail = this.#trail.length;
        const matches = this.#run(this.#next, here);
        if (!matches || instruction.isNegated) this.#undo(trail);
        this.#next = instruction.end;
        this.#here = here;
        return matches !== instruction.isNegated;
      }
      case "backreference":
        return this.#takeGroup(instruction.group, instruction.isBackward);
      case "count":
        this.#set(instruction.counter, 0);
        return true;
      case "loop": {
        const { counter, min, max, isGreedy, end } = instruction;
        const count = this.#registers[counter] ?? 0;
        const body = this.#next;
        if (count >= min && count < max) this.#push(isGreedy ? end : body);
        this.#next = count >= max || (count >= min && !isGreedy) ? end : body;
        return true;
      }
      case "again": {
        const count = this.#registers[instruction.counter] ?? 0;
        this.#next = instruction.loop;
        if (count >= instruction.min && this.#registers[instruction.counter + 1] === here) return false;
        this.#set(instruction.counter, count + 1);
        return true;
      }
      case "match":
      default:
        return true;
    }
  }

  #takeAll({ test, isBackward, min, max, isGreedy }: Extract<Instruction, { op: "characters" }>): boolean {
    let least = this.#here;
    let count = 0;
    while (count < (isGreedy ? max : min) && this.#take(test, isBackward)) {
      this.#step();
      count += 1;
      if (count <= min) least = this.#here;
    }
    if (count < min) return false;
    if (isGreedy ? count > min : count < max) this.#push(this.#next - 1, isGreedy ? least : max - count);
    return true;
  }

  /** Continues with the last alternative. */
  #retry(bottom: number): boolean {
    while (this.#alternatives.length > bottom) {
      this.#step();
      const limit = this.#alternatives.pop() ?? -1;
      this.#undo(this.#alternatives.pop() ?? 0);
      this.#here = this.#alternatives.pop() ?? 0;
      this.#next = this.#alternatives.pop() ?? 0;
      const instruction = this.#instructions[this.#next];
      if (limit < 0 || instruction?.op !== "characters") return true;
      const { test, isBackward, isGreedy } = instruction;
      if (isGreedy) {
        this.#here += this.#width(this.#characterAt(this.#here, !isBackward), !isBackward);
        if (this.#here !== limit) this.#push(this.#next, limit);
      } else {
        if (!this.#take(test, isBackward)) continue;
        if (limit > 1) this.#push(this.#next, limit - 1);
      }
      this.#next += 1;
      return true;
    }
    return false;
  }

  /** @param limit For characters: the position to which they can be given back, or how many more there may be. */
  #push(next: number, limit = -1): void {
    if (this.#alternatives.length >= 4 * MOST_ALTERNATIVES)
      throw new ExpressionError("limit", "A regular expression has too many alternatives.");
    this.#alternatives.push(next, this.#here, this.#trail.length, limit);
  }

  #set(register: number, value: number): void {
    this.#trail.push(register, this.#registers[register] ?? -1);
    this.#registers[register] = value;
  }

  #undo(length: number): void {
    while (this.#trail.length > length) {
      const value = this.#trail.pop() ?? -1;
      this.#registers[this.#trail.pop() ?? 0] = value;
    }
  }

  #step(): void {
    this.#steps += 1;
    if (this.#steps < STEPS_AT_ONCE) return;
    this.#spend(this.#steps);
    this.#steps = 0;
  }

  #take(test: CharacterTest, isBackward: boolean): boolean {
    const character = this.#characterAt(this.#here, isBackward);
    if (character < 0 || !test(character)) return false;
    this.#here += this.#width(character, isBackward);
    return true;
  }

  #takeGroup(group: number, isBackward: boolean): boolean {
    const [start = -1, end = -1] = [this.#registers[2 * group], this.#registers[2 * group + 1]];
    if (start < 0 || end < 0) return true;
    let at = isBackward ? end : start;
    while (at !== (isBackward ? start : end)) {
      this.#step();
      const character = this.#characterAt(at, isBackward);
      if (!this.#take((other) => this.#compiled.pattern.isSame(character, other), isBackward)) return false;
      at += this.#width(character, isBackward);
    }
    return true;
  }

  /** The character after a position, or before it; -1 at the end of the text. */
  #characterAt(here: number, isBackward: boolean): number {
    const { isUnicode } = this.#compiled;
    const text = this.#text;
    const at = isBackward ? here - 1 : here;
    if (at < 0 || at >= text.length) return -1;
    if (!isUnicode) return text.charCodeAt(at);
    return text.codePointAt(isBackward && isInsidePair(text, at) ? at - 1 : at) ?? -1;
  }

  #width(character: number, isBackward: boolean): number {
    const units = character > 0xffff ? 2 : 1;
    return isBackward ? -units : units;
  }

  #isLineEnd(at: number): boolean {
    return /[\n\r\u2028\u2029]/.test(this.#text.charAt(at));
  }

  #isWord(at: number): boolean {
    return at >= 0 && at < this.#text.length && this.#compiled.pattern.isWord(this.#text.charCodeAt(at));
  }
}

/** Whether a position is between the two units of a code point. */
export function isInsidePair(text: string, at: number): boolean {
  return at > 0 && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
}
