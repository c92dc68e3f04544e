import { type CompiledPattern, isInsidePair, Matcher } from "./pattern-matcher.js";
import { compilePattern } from "./pattern-program.js";
import { type ParsedPattern, parsePattern } from "./pattern-syntax.js";
import { ExpressionError } from "./expression-error.js";
import type { Run } from "./run.js";

/** How many steps of matching count as one step of an expression. */
const MATCHES_PER_STEP = 8;
/** What it takes to begin, and to return what was matched. */
const STEPS_PER_MATCH = 32;

/** `new RegExp(source, flags)`, whose matching counts as steps of a run: JavaScript's own may take forever. */
export function newPattern(run: Run, source: unknown, flags?: unknown): RegExp {
  const native: RegExp = Reflect.construct(RegExp, [source, flags]);
  return new Pattern(native.source, native.flags, (steps) => run.spend(steps / MATCHES_PER_STEP));
}

/** JavaScript's methods of strings and regular expressions all match by calling `exec`. */
class Pattern extends RegExp {
  readonly #compiled: Compiled;
  readonly #spend: (steps: number) => void;

  /** `split` copies a regular expression with other flags. */
  constructor(source: string | Pattern, flags = "", spend = source instanceof Pattern ? source.#spend : ignore) {
    super(source, flags);
    this.#compiled = compiled(super.source, super.flags);
    this.#spend = spend;
  }

  override exec(input: unknown): RegExpExecArray | null {
    const text = String(input);
    const { pattern, isUnicode, isSticky, isGlobal } = this.#compiled;
    this.#spend(STEPS_PER_MATCH);
    const matcher = new Matcher(this.#compiled, text, this.#spend);
    const remembers = isGlobal || isSticky;
    let start = remembers ? this.lastIndex : 0;
    if (isUnicode && isInsidePair(text, start)) start -= 1;
    let registers: readonly number[] | undefined;
    while (start <= text.length) {
      registers = matcher.matchAt(start);
      if (registers || isSticky) break;
      start += isUnicode && isInsidePair(text, start + 1) ? 2 : 1;
    }
    matcher.end();
    if (remembers) this.lastIndex = registers?.[1] ?? 0;
    return registers ? matchArray(text, registers, pattern) : null;
  }
}

function matchArray(text: string, registers: readonly number[], { groups, names }: ParsedPattern): RegExpExecArray {
  const all: (string | undefined)[] = [];
  for (let group = 0; group <= groups; group += 1) {
    const [start = -1, end = -1] = [registers[2 * group], registers[2 * group + 1]];
    all.push(start < 0 || end < 0 ? undefined : text.slice(start, end));
  }
  const named = names.size > 0 ? Object.create(null) : undefined;
  for (const [name, group] of names) named[name] = all[group];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- groups may be undefined
  return Object.assign(all, { index: registers[0], input: text, groups: named }) as RegExpExecArray;
}

interface Compiled extends CompiledPattern {
  readonly pattern: ParsedPattern;
  readonly isSticky: boolean;
  readonly isGlobal: boolean;
}

const known = new Map<string, Compiled>();
const MOST_KNOWN = 200;

function compiled(source: string, flags: string): Compiled {
  const key = `${flags}/${source}`;
  const before = known.get(key);
  if (before) return before;
  if (flags.includes("d"))
    throw new ExpressionError("unknown", "An expression can't use the flag `d` in a regular expression.");
  const pattern = parsePattern(source, flags);
  const has = (flag: string): boolean => flags.includes(flag);
  const result = {
    pattern,
    program: compilePattern(pattern),
    isUnicode: has("u") || has("v"),
    isMultiline: has("m"),
    isSticky: has("y"),
    isGlobal: has("g"),
  };
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, result);
  return result;
}

function ignore(): void {
  // Only a regular expression that was not made by `newPattern` has no run.
}
