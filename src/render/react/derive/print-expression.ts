import {
  type Expression,
  indexIn,
  type ListLoop,
  mayHaveNoResult,
  type ObjectMember,
  missingOperands,
  operandsOf,
  type PackageExpression,
  type VariableExpression,
} from "../runtime/expression.js";
import { isAssignable, isChangingMethod } from "../../../mustache/expression/types.js";
import type { ContextMember } from "./derive-place.js";

/** The names of an expression's variables at the place where its code is inserted. */
export interface PrintedNames {
  readonly root: string;
  /** The item of a loop's list, and its index. */
  readonly item: (loop: ListLoop) => string;
  readonly index: (loop: ListLoop) => string;
  /** Imports a function or an object of a package. */
  readonly imported: (expression: PackageExpression) => string;
  /** The email's locale and time zone, which apply where an expression names none. */
  readonly context: (member: ContextMember) => string;
}

/** Writes an expression as TypeScript: `(variables.order.total / 100).toFixed(2)`. */
export function printExpression(expression: Expression, names: PrintedNames): string {
  const writer = new ExpressionPrinter(names);
  const code = writer.write(expression, LEVELS.conditional);
  const guards = [...new Set(missingOperands(expression).map((variable) => writer.variable(variable)))];
  return guards.length === 0 ? code : `${guards.map((guard) => `${guard} == null`).join(" || ")} ? undefined : ${code}`;
}

/** Operator precedence. */
const LEVELS = { conditional: 2, nullish: 3, unary: 14, member: 17 } as const;

const BINARY: Readonly<Record<string, number>> = {
  "**": 13,
  "*": 12,
  "/": 12,
  "%": 12,
  "+": 11,
  "-": 11,
  "<<": 10,
  ">>": 10,
  ">>>": 10,
  "<": 9,
  ">": 9,
  "<=": 9,
  ">=": 9,
  in: 9,
  instanceof: 9,
  "==": 8,
  "!=": 8,
  "===": 8,
  "!==": 8,
  "&": 7,
  "^": 6,
  "|": 5,
};

class ExpressionPrinter {
  readonly #names: PrintedNames;
  /** The names that loops within the expression give their items. */
  readonly #items = new Map<number, string>();
  /** Nesting depth of functions: inside them, TypeScript forgets narrowing done outside. */
  #functions = 0;

  constructor(names: PrintedNames) {
    this.#names = names;
  }

  /** @param level The precedence of the surrounding operator. */
  write(expression: Expression, level: number): string {
    const { code, level: own } = this.#code(expression);
    return own < level ? `(${code})` : code;
  }

  variable({ names, loop, mayEndAfter = [] }: Omit<VariableExpression, "kind" | "mayBeMissing">): string {
    const root = loop ? (this.#items.get(loop.id) ?? this.#names.item(loop)) : this.#names.root;
    return names.reduce((of, name, depth) => {
      const mayEnd = mayEndAfter.includes(depth) || indexIn(names[depth - 1]) !== undefined;
      return `${of}${access(name, mayEnd)}`;
    }, root);
  }

  #code(expression: Expression): { readonly code: string; readonly level: number } {
    switch (expression.kind) {
      case "variable": {
        const code = this.variable(expression);
        return { code: expression.mayBeMissing && this.#functions > 0 ? `${code}!` : code, level: LEVELS.member };
      }
      case "value":
        return valueCode(expression.value);
      case "name":
      case "parameter":
        return { code: expression.name, level: LEVELS.member };
      case "package":
        return { code: this.#names.imported(expression), level: LEVELS.member };
      case "member": {
        const of = this.write(expression.of, LEVELS.member);
        return {
          code: `${of}${access(stepOf(expression.name), mayHaveNoResult(expression.of))}`,
          level: LEVELS.member,
        };
      }
      case "item": {
        const of = this.write(expression.of, LEVELS.member);
        const mayEnd = mayHaveNoResult(expression.of) ? "?." : "";
        return { code: `${of}${mayEnd}[${this.write(expression.key, 0)}]`, level: LEVELS.member };
      }
      case "call":
        return this.#call(expression);
      case "change":
        return { code: this.#change(expression), level: LEVELS.member };
      case "spread":
        return { code: `...${this.write(expression.of, LEVELS.conditional)}`, level: LEVELS.conditional };
      case "unary":
        return { code: unary(expression.operator, this.write(expression.of, LEVELS.unary)), level: LEVELS.unary };
      case "binary": {
        const level = BINARY[expression.operator] ?? LEVELS.conditional;
        const [left, right] = expression.operator === "**" ? [level + 1, level] : [level, level + 1];
        const sides = [this.write(expression.left, left), this.write(expression.right, right)];
        return { code: sides.join(` ${expression.operator} `), level };
      }
      case "if":
        return this.#choice(expression);
      case "try": {
        const [of, otherwise] = [expression.of, expression.otherwise].map((part) => this.write(part, 0));
        return { code: `(() => { try { return ${of}; } catch { return ${otherwise}; } })()`, level: LEVELS.member };
      }
      case "text":
        return { code: this.#text(expression.parts), level: LEVELS.member };
      case "list":
        return { code: `[${this.#all(expression.items)}]`, level: LEVELS.member };
      case "object":
        return { code: this.#object(expression.members), level: LEVELS.member };
      case "child":
        return this.#code(expression.of);
      case "function":
        return { code: this.#function(expression.parameters, expression.body), level: LEVELS.conditional };
      case "map": {
        const list = this.write(expression.list, LEVELS.member);
        const item = this.#items.size === 0 ? "each" : `each${this.#items.size + 1}`;
        this.#items.set(expression.loop, item);
        const callback = this.#function([item, indexOf(item)], expression.body);
        const code = `${list}.${expression.method}(${callback})`;
        this.#items.delete(expression.loop);
        return { code, level: LEVELS.member };
      }
      case "position":
      default:
        return { code: this.#index(expression.loop), level: LEVELS.member };
    }
  }

  #index(loop: ListLoop): string {
    const item = this.#items.get(loop.id);
    return item === undefined ? this.#names.index(loop) : indexOf(item);
  }

  /** `(() => { const copy = new Date(…); copy.setDate(…); return copy; })()` */
  #change(expression: Change): string {
    const changes: Change[] = [];
    let of: Expression = expression;
    for (; of.kind === "change"; of = of.of) changes.unshift(of);
    const statements = changes.map(({ names, args }) => {
      const member = names.reduce(
        (code, name) => code + access(/^\d+$/.test(name) ? `[${name}]` : name, false),
        "copy",
      );
      const isAssignment = names.some((name) => isAssignable("URL", name) || isAssignable("Array", name));
      return isAssignment ? `${member} = ${this.#all(args)};` : `${member}(${this.#all(args)});`;
    });
    return `(() => { const copy = ${this.write(ownCopy(of), LEVELS.conditional)}; ${statements.join(" ")} return copy; })()`;
  }

  #call({ callee, args, isNew }: Extract<Expression, { kind: "call" }>): { code: string; level: number } {
    const called = this.write(this.#copied(callee), LEVELS.member);
    const all = this.#all(localised(callee, args, (member) => parameter(this.#names.context(member))));
    return { code: `${isNew ? "new " : ""}${called}(${all})`, level: LEVELS.member };
  }

  /** `[...items].sort()`: an operation in place would change the variable for later code. */
  #copied(callee: Expression): Expression {
    const isChange = callee.kind === "member" && isChangingMethod("Array", nameOf(callee));
    return isChange ? { ...callee, of: ownCopy(callee.of) } : callee;
  }

  #all(args: readonly Expression[]): string {
    return args.map((each) => this.write(each, LEVELS.conditional)).join(", ");
  }

  #choice({ test, yes, no }: Extract<Expression, { kind: "if" }>): { code: string; level: number } {
    if (test.kind === "binary" && test.operator === "!=" && this.#same(test.left, yes)) {
      const sides = [this.write(yes, LEVELS.nullish), this.write(no, LEVELS.nullish + 1)];
      return { code: sides.join(" ?? "), level: LEVELS.nullish };
    }
    const parts = [this.write(test, LEVELS.nullish), ...[yes, no].map((each) => this.write(each, LEVELS.conditional))];
    const [condition = "", first = "", second = ""] = parts;
    return { code: `${condition} ? ${first} : ${second}`, level: LEVELS.conditional };
  }

  #same(one: Expression, other: Expression): boolean {
    return this.write(one, LEVELS.conditional) === this.write(other, LEVELS.conditional);
  }

  #text(parts: readonly (string | Expression)[]): string {
    const written = parts.map((part) =>
      typeof part === "string"
        ? part.replace(/[\\`]|\$(?=\{)/g, "\\$&").replaceAll("\n", "\\n")
        : `\${${this.write(part, LEVELS.conditional)}}`,
    );
    return `\`${written.join("")}\``;
  }

  #object(members: readonly ObjectMember[]): string {
    if (members.length === 0) return "{}";
    const written = members.map((member) => {
      if ("kind" in member) return `...${this.write(member.of, LEVELS.conditional)}`;
      const [name, value] = member;
      const code = this.write(value, LEVELS.conditional);
      if (typeof name !== "string") return `[${this.write(name, LEVELS.conditional)}]: ${code}`;
      return code === name ? name : `${isIdentifier(name) ? name : JSON.stringify(name)}: ${code}`;
    });
    return `{ ${written.join(", ")} }`;
  }

  #function(parameters: readonly string[], body: Expression): string {
    this.#functions += 1;
    const code = this.write(body, LEVELS.conditional);
    this.#functions -= 1;
    const used = parameters.slice(0, 1 + parameters.findLastIndex((name) => new RegExp(`\\b${name}\\b`).test(code)));
    return `(${used.join(", ")}) => ${code.startsWith("{") ? `(${code})` : code}`;
  }
}

/** The name of an item's index. */
function indexOf(item: string): string {
  return `${item}Index`;
}

/** `typeof name`, and `- -1` rather than `--1`. */
function unary(operator: string, of: string): string {
  return `${operator}${/\w$/.test(operator) || of.startsWith(operator) ? " " : ""}${of}`;
}

/** Adds the email's locale and time zone to a call that names none: JavaScript would use the machine's. */
function localised(
  callee: Expression,
  args: readonly Expression[],
  context: (member: ContextMember) => Expression,
): readonly Expression[] {
  const isOfDate = callee.kind === "member" && isDate(callee.of);
  const name = nameOf(callee);
  const isDateFormat =
    /^(?:toLocale(?:Date|Time)String|Intl\.DateTimeFormat)$/.test(name) || (name === "toLocaleString" && isOfDate);
  const takesLocale = isDateFormat || /^(?:toLocale(?:\w+Case|String)|Intl\.[A-Z]\w+)$/.test(name);
  if (!takesLocale) return args;
  const [locale, options, ...others] = args;
  const chosen = isAbsent(locale) ? context("locale") : locale;
  if (!isDateFormat) return [chosen, ...args.slice(1)];
  const members = options?.kind === "object" ? options.members : [];
  if (
    members.some((member) => "kind" in member || member[0] === "timeZone") ||
    (members.length === 0 && !isAbsent(options))
  )
    return [chosen, ...args.slice(1)];
  return [chosen, { kind: "object", members: [...members, ["timeZone", context("timeZone")]] }, ...others];
}

/** The name of a called function or method; empty if it is computed. */
function nameOf(callee: Expression): string {
  const name = callee.kind === "name" || callee.kind === "member" ? callee.name : "";
  return typeof name === "object" ? "" : String(name);
}

function isAbsent(argument: Expression | undefined): argument is undefined {
  return !argument || (argument.kind === "value" && argument.value === undefined);
}

/** Whether an expression depends on the time zone in a way that its code can't name one. */
export function usesLocalTime(expression: Expression): boolean {
  if (expression.kind === "call" && isLocal(expression)) return true;
  if (expression.kind === "change" && expression.names.some((name) => LOCAL_PART.test(name))) return true;
  if (expression.kind === "text" && expression.parts.some((part) => typeof part !== "string" && isDate(part)))
    return true;
  return operandsOf(expression).some(usesLocalTime);
}

function isLocal({ callee, args }: Extract<Expression, { kind: "call" }>): boolean {
  if (callee.kind === "name")
    return (callee.name === "Date" && args.length > 1) || (callee.name === "String" && args.some(isDate));
  if (callee.kind !== "member") return false;
  if (LOCAL_PART.test(nameOf(callee))) return true;
  return isDate(callee.of) && /^to(?:|Date|Time)String$/.test(nameOf(callee));
}

const LOCAL_PART = /^[gs]et(?:FullYear|Month|Date|Day|Hours|Minutes|Seconds|TimezoneOffset)$/;

function isDate(expression: Expression): boolean {
  if (expression.kind !== "call" || expression.isNew !== true) return false;
  return expression.callee.kind === "name" && expression.callee.name === "Date";
}

type Change = Extract<Expression, { kind: "change" }>;

/** `[...list]`, unless it is a new value that may be changed. */
function ownCopy(of: Expression): Expression {
  const isOwn = of.kind === "call" || of.kind === "list" || of.kind === "map" || of.kind === "change";
  return isOwn ? of : { kind: "list", items: [{ kind: "spread", of }] };
}

function stepOf(name: string | number): string {
  return typeof name === "number" ? `[${name}]` : name;
}

/** `.name`, `[0]`, `.at(-1)` */
function access(name: string, mayEnd: boolean): string {
  if (name === "[length]") return `${mayEnd ? "?" : ""}.length`;
  const index = indexIn(name);
  if (index !== undefined) return index < 0 ? `${mayEnd ? "?" : ""}.at(${index})` : `${mayEnd ? "?." : ""}[${index}]`;
  if (isIdentifier(name)) return `${mayEnd ? "?" : ""}.${name}`;
  return `${mayEnd ? "?." : ""}[${JSON.stringify(name)}]`;
}

export function isIdentifier(name: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name);
}

function parameter(name: string): Expression {
  return { kind: "parameter", name };
}

function valueCode(value: unknown): { readonly code: string; readonly level: number } {
  if (typeof value === "string") return { code: JSON.stringify(value), level: LEVELS.member };
  // `5.toFixed()` is not valid.
  if (typeof value === "number") return { code: Object.is(value, -0) ? "-0" : String(value), level: LEVELS.unary };
  return { code: String(value), level: LEVELS.member };
}
