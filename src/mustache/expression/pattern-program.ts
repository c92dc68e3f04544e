import type { CharacterTest, ParsedPattern, PatternNode } from "./pattern-syntax.js";

/** A step of matching. A register holds a position, or the count of a loop. */
export type Instruction =
  | { readonly op: "character"; readonly test: CharacterTest; readonly isBackward: boolean }
  /** As many characters as possible (or as few), from `min` to `max`. */
  | {
      readonly op: "characters";
      readonly test: CharacterTest;
      readonly isBackward: boolean;
      readonly min: number;
      readonly max: number;
      readonly isGreedy: boolean;
    }
  | { readonly op: "jump"; readonly to: number }
  /** Continues at `first`, or at `second` if that fails. */
  | { readonly op: "split"; readonly first: number; readonly second: number }
  | { readonly op: "save"; readonly register: number }
  | { readonly op: "clear"; readonly from: number; readonly end: number }
  | { readonly op: "start" | "end" | "word-boundary" | "no-word-boundary" | "match" }
  /** What follows up to `end` must match here, or must not. */
  | { readonly op: "look"; readonly isNegated: boolean; readonly end: number }
  | { readonly op: "backreference"; readonly group: number; readonly isBackward: boolean }
  /** Begins a loop: sets its count to 0. */
  | { readonly op: "count"; readonly counter: number }
  /** Repeats the body, or leaves the loop. */
  | {
      readonly op: "loop";
      readonly counter: number;
      readonly min: number;
      readonly max: number;
      readonly isGreedy: boolean;
      readonly end: number;
    }
  /** After the body: continues at `loop`; an iteration that was not needed must not match nothing. */
  | { readonly op: "again"; readonly counter: number; readonly min: number; readonly loop: number };

export interface Program {
  readonly instructions: readonly Instruction[];
  readonly registers: number;
  /** What every match begins with, if that is one character. */
  readonly first: CharacterTest | undefined;
}

/** Registers 2n and 2n + 1 are the start and the end of group n; a loop has two more: its count, and where an iteration began. */
export function compilePattern({ node, groups }: ParsedPattern): Program {
  const instructions: Instruction[] = [];
  let registers = 2 * (groups + 1);

  const emit = (instruction: Instruction): number => instructions.push(instruction) - 1;

  const write = (part: PatternNode, isBackward: boolean): void => {
    switch (part.kind) {
      case "character":
        emit({ op: "character", test: part.test, isBackward });
        return;
      case "sequence":
        for (const each of isBackward ? part.parts.toReversed() : part.parts) write(each, isBackward);
        return;
      case "either":
        writeEither(part.options, isBackward);
        return;
      case "group": {
        const [first, second] = isBackward ? [1, 0] : [0, 1];
        emit({ op: "save", register: 2 * part.number + first });
        write(part.of, isBackward);
        emit({ op: "save", register: 2 * part.number + second });
        return;
      }
      case "repeat":
        writeRepeat(part, isBackward);
        return;
      case "look": {
        const at = emit({ op: "match" });
        write(part.of, part.isBehind);
        emit({ op: "match" });
        instructions[at] = { op: "look", isNegated: part.isNegated, end: instructions.length };
        return;
      }
      case "backreference":
        emit({ op: "backreference", group: part.group, isBackward });
        return;
      case "start":
      case "end":
      case "word-boundary":
      case "no-word-boundary":
      default:
        emit({ op: part.kind });
    }
  };

  const writeEither = (options: readonly PatternNode[], isBackward: boolean): void => {
    const jumps: number[] = [];
    for (const [index, option] of options.entries()) {
      const isLast = index === options.length - 1;
      const split = isLast ? undefined : emit({ op: "match" });
      write(option, isBackward);
      if (split === undefined) continue;
      jumps.push(emit({ op: "match" }));
      instructions[split] = { op: "split", first: split + 1, second: instructions.length };
    }
    for (const jump of jumps) instructions[jump] = { op: "jump", to: instructions.length };
  };

  const writeRepeat = (
    { of, min, max, isGreedy, groups: [first, end] }: Extract<PatternNode, { kind: "repeat" }>,
    isBackward: boolean,
  ): void => {
    if (of.kind === "character") {
      emit({ op: "characters", test: of.test, isBackward, min, max, isGreedy });
      return;
    }
    const counter = registers;
    registers += 2;
    emit({ op: "count", counter });
    const loop = emit({ op: "match" });
    emit({ op: "save", register: counter + 1 });
    if (end > first) emit({ op: "clear", from: 2 * first, end: 2 * end });
    write(of, isBackward);
    emit({ op: "again", counter, min, loop });
    instructions[loop] = { op: "loop", counter, min, max, isGreedy, end: instructions.length };
  };

  emit({ op: "save", register: 0 });
  write(node, false);
  emit({ op: "save", register: 1 });
  emit({ op: "match" });
  return { instructions, registers, first: firstTest(instructions[1]) };
}

function firstTest(instruction: Instruction | undefined): CharacterTest | undefined {
  if (instruction?.op === "character") return instruction.test;
  return instruction?.op === "characters" && instruction.min > 0 ? instruction.test : undefined;
}
