import { Shape } from "../../../mustache/shape.js";
import { isOnly, kindsOf, literalsOf, maybeMissing } from "./kinds.js";
import { rendering } from "./rendering.js";
import type { StandIn } from "./stand-ins.js";
import type { Path } from "./symbolic.js";

/*
 * Values that tell a function which only prints a variable from one that computes with it: one of each sort that such
 * functions treat in a way of its own.
 */

const NUMBERS = [2, 1, 0, 3, 5, 10, 11, 21, 100, -1, -2.5, 0.5, 1.005, 1234567.891];

const COUNTS = NUMBERS.filter((each) => Number.isInteger(each) && each >= 0);

const TEXTS = [
  "abc",
  "",
  "a",
  "Abc",
  "ABC",
  "ann lee's  new-name_2",
  " in spaces ",
  `long ${"and longer ".repeat(40)}`,
  'Tom & "Jerry" <b title="x">\'x\'</b> &amp; é ß 😀',
  "# One\n\n**two** _three_ `four` [five](https://example.com) {six} %s $& $1",
  "https://Example.com/a b?c=d&e=%20f",
  "ann@example.com",
  "p-4 font-bold text-red-500",
  "1",
  "42",
  "1234.5",
  "2024-02-03",
  "2024-02-03T04:05:06.000Z",
  "#ff0000",
  "12px 20px",
  "true",
];

/** Of texts that must be of one format, some that are. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  date: ["2024-02-03", "2031-11-30", "1999-01-01"],
  "date-time": ["2024-02-03T04:05:06.000Z", "2031-11-30T23:59:59.999Z", "1999-01-01T00:00:00Z"],
  email: ["ann@example.com", "Ann.O'Lee+x@Mail.Example.com"],
  uri: ["https://example.com/a", "https://Example.com", "http://example.com/%20b?c=d&e=f#g"],
};

const DEEPEST = 4;

/** Values that a variable may have here, the most usual first. */
export function probesOf({ symbolic }: StandIn, called: (...given: never[]) => unknown): readonly unknown[] {
  const { facts } = rendering();
  if (symbolic.kind === "path") {
    return probesOfPath(symbolic, literalsIn(called)).filter((each) => facts.allows(symbolic, each));
  }
  const counts = COUNTS.filter((each) => each >= symbolic.offset);
  if (symbolic.kind === "position") return counts;
  if (symbolic.kind === "several") return counts.filter((each) => each > symbolic.offset);
  const { of, offset } = symbolic;
  const lengthOf = (length: number): unknown => (isOnly(of, "string") ? "x".repeat(length) : Array.from({ length }));
  return counts.filter((each) => facts.allows(of, lengthOf(each - offset)));
}

function probesOfPath(path: Path, literals: readonly (string | number)[]): readonly unknown[] {
  const known = literalsOf(path);
  const missing = maybeMissing(path) ? [...(path.optional ? [undefined] : []), null] : [];
  return [...(known ?? probesOfShape(path.shape, literals)), ...missing];
}

function probesOfShape(shape: Shape, literals: readonly (string | number)[], depth = 0): readonly unknown[] {
  if (shape.kinds.length === 0) return [...TEXTS, ...NUMBERS, ...literals];
  return shape.kinds.flatMap((kind): readonly unknown[] => {
    if (kind.const !== undefined) return [kind.const];
    if (kind.enum) return kind.enum;
    if (kind.type === "string") return FORMATS[kind.format ?? ""] ?? [...TEXTS, ...literals.filter(isText)];
    if (kind.type === "number") return [...NUMBERS, ...literals.filter(isNumber)];
    if (kind.type === "integer") return [...NUMBERS, ...literals.filter(isNumber)].filter(Number.isInteger);
    if (kind.type === "boolean") return [true, false];
    if (depth >= DEEPEST) return [];
    if (kind.type === "array") {
      const [first, second = first, third = first] = probesOfShape(shape.items(), literals, depth + 1);
      return [[first, second], [first], [], [third, second, first]];
    }
    return kind.properties ? objectsOf(shape, literals, depth) : [];
  });
}

/** Objects that have, one after the other, each of their members' values. */
function objectsOf(shape: Shape, literals: readonly (string | number)[], depth: number): readonly unknown[] {
  const members = shape.names.map(
    (name) => [name, probesOfShape(shape.member(name) ?? Shape.UNKNOWN, literals, depth + 1)] as const,
  );
  const count = Math.max(1, ...members.map(([, values]) => values.length));
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(members.map(([name, values]) => [name, values[index % values.length]])),
  );
}

const MOST_LITERALS = 30;

/** What a function's own code may compare with. */
function literalsIn(called: (...given: never[]) => unknown): (string | number)[] {
  const code = Function.prototype.toString.call(called);
  const texts = Array.from(code.matchAll(/(["'`])([^"'`\\\n$]{1,40})\1/g), ([, , text = ""]) => text);
  const numbers = Array.from(code.matchAll(/(?<![\w.$])\d+(?:\.\d+)?(?![\w.$])/g), ([number]) => Number(number));
  return [...new Set([...texts, ...numbers])].slice(0, MOST_LITERALS);
}

function isText(value: string | number): value is string {
  return typeof value === "string";
}

function isNumber(value: string | number): value is number {
  return typeof value === "number";
}
