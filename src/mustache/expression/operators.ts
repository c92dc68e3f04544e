import { ExpressionError } from "./expression-error.js";
import { MOST_BITS, type Run } from "./run.js";

/** `left operator right`, but for `&&`, `||` and `??`. */
export function operate(run: Run, operator: string, left: unknown, right: unknown): unknown {
  const operation = Object.hasOwn(BINARY, operator) ? BINARY[operator] : undefined;
  if (!operation) throw new ExpressionError("unknown", `There is no operator \`${operator}\`.`);
  run.spendOn([left, right]);
  if (typeof left === "bigint" && typeof right === "bigint") checkBits(operator, left, right);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JavaScript's operators take any operands
  return run.admit(operation(left as number, right as number));
}

/** `operator value` */
export function operateOn(run: Run, operator: string, value: unknown): unknown {
  const operation = Object.hasOwn(UNARY, operator) ? UNARY[operator] : undefined;
  if (!operation) throw new ExpressionError("unknown", `There is no operator \`${operator}\`.`);
  run.spendOn([value]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JavaScript's operators take any operand
  return operation(value as number);
}

/** Whether it is an operator of expressions. `&&`, `||`, `??` and `instanceof` need no operands' values. */
export function isOperator(operator: string): boolean {
  return (
    [UNARY, BINARY].some((known) => Object.hasOwn(known, operator)) || /^(?:&&|\|\||\?\?|instanceof)$/.test(operator)
  );
}

const UNARY: Readonly<Record<string, (value: number) => unknown>> = {
  "!": (value) => !value,
  "-": (value) => -value,
  // oxlint-disable-next-line typescript/no-unnecessary-type-conversion -- the value may be anything
  "+": (value) => +value,
  "~": (value) => ~value,
  typeof: (value) => typeof value,
};

const BINARY: Readonly<Record<string, (left: number, right: number) => unknown>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
  "%": (left, right) => left % right,
  "**": (left, right) => left ** right,
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
  // oxlint-disable-next-line eqeqeq -- it is what an expression asks for
  "==": (left, right) => left == right,
  // oxlint-disable-next-line eqeqeq -- it is what an expression asks for
  "!=": (left, right) => left != right,
  "===": (left, right) => left === right,
  "!==": (left, right) => left !== right,
  "&": (left, right) => left & right,
  "|": (left, right) => left | right,
  "^": (left, right) => left ^ right,
  "<<": (left, right) => left << right,
  ">>": (left, right) => left >> right,
  ">>>": (left, right) => left >>> right,
  in: (left, right) => isIn(left, right),
};

function isIn(key: PropertyKey, object: unknown): boolean {
  if ((typeof object === "object" && object !== null) || typeof object === "function") return Reflect.has(object, key);
  throw new TypeError(`Cannot use 'in' operator to search for '${String(key)}' in ${String(object)}`);
}

/** A power or a shift of bigints could take all memory. */
function checkBits(operator: string, left: bigint, right: bigint): void {
  const bits = left.toString(16).length * 4;
  const isLarge =
    (operator === "**" && left * left > 1n && BigInt(bits) * right > 4n * BigInt(MOST_BITS)) ||
    (operator === "<<" && right > MOST_BITS) ||
    (operator === ">>" && -right > MOST_BITS);
  if (isLarge) throw new ExpressionError("limit", "A bigint is larger than an expression may use.");
}
