import { readFileSync } from "node:fs";

/*
 * A second evaluator of expressions, written from docs/expressions.md alone. What exists, it reads from the tables and lists of
 * that page; what an operation means, it leaves to this JavaScript engine, as the page does to the standard.
 */

export type Code = "throws" | "limit" | "unknown";

/** The evaluation has ended without a result. */
export class Ended extends Error {
  readonly code: Code;

  constructor(code: Code, message: string) {
    super(message);
    this.code = code;
  }
}

const page = readFileSync(new URL("../../../docs/expressions.md", import.meta.url), "utf8");

function wordsIn(text: string): string[] {
  return Array.from(text.matchAll(/`([^`]+)`/g), ([, word = ""]) => word);
}

function listAfter(start: string): ReadonlySet<string> {
  const [, rest = ""] = page.split(`\n${start}`);
  const [list = ""] = rest.split(/\.\s|\.$/m);
  return new Set(wordsIn(list));
}

const CONSTANTS = listAfter("Constants:");
const FUNCTIONS = listAfter("Functions:");
const CLASSES = listAfter("Classes, with `isNew`:");

/** The names in the table of methods and properties, by type. */
const MEMBERS = new Map(
  page
    .slice(page.indexOf("| Type "), page.indexOf("## Built-ins"))
    .split("\n")
    .flatMap((row) => {
      const [, type = "", names = ""] = row.split("|").map((cell) => cell.trim());
      return names.includes("`") ? [[type.replaceAll("`", ""), new Set(wordsIn(names))] as const] : [];
    }),
);

/** Classes that also work without `new`. */
const CALLABLE_CLASSES = new Set(["Array", "RegExp", "Intl.NumberFormat", "Intl.DateTimeFormat", "Intl.Collator"]);

/** The methods that change an object, by its type. */
const CHANGES: Readonly<Record<string, RegExp>> = {
  list: /^(?:copyWithin|fill|pop|push|reverse|shift|sort|splice|unshift)$/,
  date: /^set/,
  map: /^(?:clear|delete|set)$/,
  set: /^(?:add|clear|delete)$/,
  URLSearchParams: /^(?:append|delete|set|sort)$/,
};

/** The properties that a change may assign. */
const ASSIGNED: Readonly<Record<string, RegExp>> = {
  list: /^(?:length|\d+)$/,
  URL: /^(?:hash|host|hostname|href|password|pathname|port|protocol|search|username)$/,
};

/** Methods that take a locale, by the position of that argument. */
const LOCALE_AT: Readonly<Record<string, number>> = {
  toLocaleString: 0,
  toLocaleDateString: 0,
  toLocaleTimeString: 0,
  toLocaleUpperCase: 0,
  toLocaleLowerCase: 0,
  localeCompare: 1,
};

/** A kind of expression as JSON. */
interface Tree {
  readonly kind: string;
  readonly [member: string]: unknown;
}

interface Scope {
  readonly scopes: readonly unknown[];
  readonly indexes: readonly number[];
  readonly parameters: ReadonlyMap<string, unknown>;
}

type Callable = (...args: unknown[]) => unknown;

interface Place {
  readonly locale: string;
  /** The process must be in the time zone, too. */
  readonly timeZone: string;
}

export function evaluateIndependently(
  tree: unknown,
  scopes: readonly unknown[],
  indexes: readonly number[],
  place: Place,
): unknown {
  return new Evaluation(place).run(tree, { scopes, indexes, parameters: new Map() });
}

class Evaluation {
  readonly #place: Place;
  #steps = 0;
  #depth = 0;

  constructor(place: Place) {
    this.#place = place;
  }

  run(tree: unknown, scope: Scope): unknown {
    this.#steps += 1;
    this.#depth += 1;
    if (this.#steps > 1_000_000 || this.#depth > 200) throw new Ended("limit", "Too long or too deep.");
    try {
      return this.#compute(asTree(tree), scope);
    } catch (error) {
      if (error instanceof Ended) throw error;
      throw new Ended("throws", String(error));
    } finally {
      this.#depth -= 1;
    }
  }

  #compute(tree: Tree, scope: Scope): unknown {
    const of = (part: unknown): unknown => this.run(part, scope);
    switch (tree.kind) {
      case "variable":
        return variable(tree, scope);
      case "value":
        return tree["value"];
      case "name":
        return this.#named(String(tree["name"]));
      case "pattern":
        return new RegExp(String(tree["source"]), String(tree["flags"]));
      case "index":
        return scope.indexes[Number(tree["scope"])];
      case "parameter":
        if (!scope.parameters.has(String(tree["name"]))) throw new Ended("unknown", "There is no such parameter.");
        return scope.parameters.get(String(tree["name"]));
      case "member":
        return this.#member(of(tree["of"]), tree["name"]);
      case "item":
        return this.#member(of(tree["of"]), of(tree["key"]));
      case "call":
        return this.#call(tree, scope);
      case "change":
        return changed(of(tree["of"]), asList(tree["names"]).map(String), this.#items(tree["args"], scope));
      case "unary":
        return unary(tree, of(tree["of"]));
      case "binary":
        return this.#binary(tree, scope);
      case "if":
        return of(of(tree["test"]) ? tree["yes"] : tree["no"]);
      case "try":
        try {
          return of(tree["of"]);
        } catch (error) {
          if (!(error instanceof Ended) || error.code !== "throws") throw error;
          return of(tree["otherwise"]);
        }
      case "text":
        return asList(tree["parts"])
          .map((part) => (typeof part === "string" ? part : textOf(of(part))))
          .join("");
      case "list":
        return this.#items(tree["items"], scope);
      case "object":
        return this.#object(tree, scope);
      case "function":
        return this.#function(tree, scope);
      case "child":
        return childOf(of(tree["of"]));
      default:
        throw new Ended("unknown", `There is no kind "${tree.kind}".`);
    }
  }

  #items(parts: unknown, scope: Scope): unknown[] {
    const items: unknown[] = [];
    for (const part of asList(parts)) {
      if (asTree(part).kind === "spread") items.push(...spreadOf(this.run(asTree(part)["of"], scope)));
      else items.push(this.run(part, scope));
    }
    return items;
  }

  #object(tree: Tree, scope: Scope): unknown {
    const members = asList(tree["members"]).flatMap((member): (readonly [string, unknown])[] => {
      if (!Array.isArray(member)) return Object.entries(Object(this.run(asTree(member)["of"], scope)));
      const [name, value]: unknown[] = member;
      const key = typeof name === "string" ? name : String(this.run(name, scope));
      return [[key, this.run(value, scope)]];
    });
    return Object.fromEntries(members);
  }

  #function(tree: Tree, scope: Scope): Callable {
    const names = asList(tree["parameters"]).map(String);
    return withoutConversion((...args) => {
      const own = names.map((name, index) => [name, args[index]] as const);
      return this.run(tree["body"], { ...scope, parameters: new Map([...scope.parameters, ...own]) });
    });
  }

  #binary(tree: Tree, scope: Scope): unknown {
    const left = this.run(tree["left"], scope);
    const right = (): unknown => this.run(tree["right"], scope);
    switch (tree["operator"]) {
      case "&&":
        return left && right();
      case "||":
        return left || right();
      case "??":
        return left ?? right();
      case "instanceof":
        return left instanceof Reflect.get(globalThis, String(asTree(tree["right"])["name"]));
      default:
        return binary(String(tree["operator"]), left, right());
    }
  }

  #call(tree: Tree, scope: Scope): unknown {
    const callee = asTree(tree["callee"]);
    const isNew = tree["isNew"] === true;
    if (callee.kind === "name") {
      const name = String(callee["name"]);
      return this.#builtin(name, this.#items(tree["args"], scope), isNew);
    }
    if (callee.kind === "member" && !isNew) {
      const of = this.run(callee["of"], scope);
      return this.#method(of, String(callee["name"]), this.#items(tree["args"], scope));
    }
    const called = this.run(callee, scope);
    const args = this.#items(tree["args"], scope);
    if (typeof called !== "function" || isNew) throw new TypeError("It is not a function.");
    return Reflect.apply(called, undefined, args);
  }

  #named(name: string): unknown {
    if (CONSTANTS.has(name)) return builtinNamed(name);
    if (FUNCTIONS.has(name) || CLASSES.has(name))
      return withoutConversion((...args) => this.#builtin(name, args, false));
    throw new Ended("unknown", `There is no built-in "${name}".`);
  }

  #builtin(name: string, args: readonly unknown[], isNew: boolean): unknown {
    const built = builtinNamed(name);
    if (!FUNCTIONS.has(name) && !CLASSES.has(name)) {
      if (CONSTANTS.has(name)) throw new TypeError("A constant is not a function.");
      throw new Ended("unknown", `There is no built-in "${name}".`);
    }
    if (typeof built !== "function") throw new Ended("unknown", name);
    if (name === "Date" && (args.length === 0 || !isNew)) throw new Ended("unknown", "The clock can't be read.");
    if (name === "Object.assign") return Reflect.apply(built, undefined, [{ ...Object(args[0]) }, ...args.slice(1)]);
    if (!CLASSES.has(name)) {
      if (isNew) throw new TypeError("It is not a class.");
      return Reflect.apply(built, undefined, args);
    }
    const all = name.startsWith("Intl.") ? this.#withLocale(args, 0) : args;
    if (isNew) return Reflect.construct(built, all);
    if (!CALLABLE_CLASSES.has(name)) throw new TypeError("A class needs `new`.");
    return Reflect.apply(built, undefined, all);
  }

  #withLocale(args: readonly unknown[], at: number): readonly unknown[] {
    const given = args[at];
    if (given !== undefined && !(Array.isArray(given) && given.length === 0)) return args;
    return Array.from({ length: Math.max(args.length, at + 1) }, (_, index) =>
      index === at ? this.#place.locale : args[index],
    );
  }

  #member(of: unknown, name: unknown): unknown {
    if (of === undefined || of === null) throw new TypeError("Nothing has no members.");
    const key = typeof name === "string" ? name : String(name);
    if (typeof of !== "function" && hasOwn(of, key)) return Reflect.get(Object(of), key);
    if (!membersOf(of).has(key)) return undefined;
    const value: unknown = Reflect.get(Object(of), key, of);
    if (typeof value !== "function") return value;
    const isBound = (key === "format" && (isFormat(of, "Number") || isFormat(of, "DateTime"))) || isCollator(of, key);
    if (isBound) return withoutConversion((...args) => Reflect.apply(value, of, args));
    return withoutConversion(() => {
      throw new TypeError("A method needs its object.");
    });
  }

  #method(of: unknown, name: string, args: readonly unknown[]): unknown {
    if (of === undefined || of === null) throw new TypeError("Nothing has no methods.");
    if (hasOwn(of, name) || !membersOf(of).has(name)) {
      const own = this.#member(of, name);
      if (typeof own !== "function") throw new TypeError("It is not a function.");
      return Reflect.apply(own, of, args);
    }
    const method: unknown = Reflect.get(Object(of), name, of);
    if (typeof method !== "function") throw new TypeError("It is not a function.");
    const at = Object.hasOwn(LOCALE_AT, name) ? LOCALE_AT[name] : undefined;
    const all = at === undefined ? args : this.#withLocale(args, at);
    return Reflect.apply(method, isChange(of, name) ? copyOf(of) : of, all);
  }
}

function isChange(of: unknown, name: string): boolean {
  return membersOf(of).has(name) && CHANGES[typeIn(of)]?.test(name) === true;
}

function changed(of: unknown, names: readonly string[], args: readonly unknown[]): unknown {
  const copy = copyOf(of);
  const isOfUrl = names.length === 2 && names[0] === "searchParams" && copy instanceof URL;
  if (names.length !== 1 && !isOfUrl) throw new TypeError("Only a URL's parameters can be changed through it.");
  const object = isOfUrl ? copy.searchParams : copy;
  const name = names.at(-1) ?? "";
  const isAssigned = ASSIGNED[typeIn(object)]?.test(name) === true;
  if (!isAssigned && !isChange(object, name)) throw new TypeError("It does not change the object.");
  if (isAssigned && Array.isArray(object) && Number(name === "length" ? args[0] : name) > 1_000_000)
    throw new Ended("limit", "The list is too long.");
  const method: unknown = Reflect.get(Object(object), name);
  if (isAssigned) Reflect.set(Object(object), name, args[0]);
  else if (typeof method === "function") Reflect.apply(method, object, args);
  return copy;
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice();
  if (value instanceof Date) return new Date(value.getTime());
  if (value instanceof Map) return new Map(value);
  if (value instanceof Set) return new Set(value);
  if (value instanceof URL) return new URL(value);
  return value instanceof URLSearchParams ? new URLSearchParams(value) : value;
}

function variable(tree: Tree, { scopes }: Scope): unknown {
  let value = scopes[Number(tree["scope"] ?? 0)];
  for (const name of asList(tree["names"]).map(String)) {
    if (value === undefined || value === null) return undefined;
    value = hasOwn(value, name) ? Reflect.get(Object(value), name) : undefined;
  }
  return value;
}

function hasOwn(value: unknown, name: string): boolean {
  return Object.hasOwn(Object(value), name);
}

const NONE: ReadonlySet<string> = new Set();

/** The members in the table that a value has. */
function membersOf(value: unknown): ReadonlySet<string> {
  return new Set([...(MEMBERS.get(typeIn(value)) ?? NONE), ...(MEMBERS.get("all") ?? NONE)]);
}

function typeIn(value: unknown): string {
  if (typeof value !== "object" || value === null) return typeof value;
  if (Array.isArray(value)) return "list";
  if (value instanceof Date) return "date";
  if (value instanceof RegExp) return "regular expression";
  if (value instanceof Map) return "map";
  if (value instanceof Set) return "set";
  if (value instanceof URL) return "URL";
  if (value instanceof URLSearchParams) return "URLSearchParams";
  const [, formatter] = /^\[object (Intl\.\w+)\]$/.exec(Object.prototype.toString.call(value)) ?? [];
  if (formatter !== undefined) return formatter;
  return Symbol.iterator in value && "next" in value ? "iterator" : "object";
}

function isFormat(value: unknown, of: string): boolean {
  return typeIn(value) === `Intl.${of}Format`;
}

function isCollator(value: unknown, name: string): boolean {
  return name === "compare" && typeIn(value) === "Intl.Collator";
}

function builtinNamed(name: string): unknown {
  return name.split(".").reduce<unknown>((of, part) => Reflect.get(Object(of), part), globalThis);
}

function unary({ operator }: Tree, value: unknown): unknown {
  switch (operator) {
    case "!":
      return !value;
    case "typeof":
      return typeof value;
    case "-":
      return -(primitive(value) as number);
    case "+":
      return +(primitive(value) as string);
    case "~":
      return ~(primitive(value) as number);
    default:
      throw new Ended("unknown", `There is no operator "${String(operator)}".`);
  }
}

/** A function can't be converted to a string or a number, whoever tries it. */
function withoutConversion(called: Callable): Callable {
  const convert = (): never => {
    throw new Ended("unknown", "A function can't be converted.");
  };
  return Object.defineProperties(called, { [Symbol.toPrimitive]: { value: convert }, toString: { value: convert } });
}

/** Objects can't decide how they are converted. */
function primitive<T>(value: T): T {
  if (typeof value === "object" && value !== null)
    for (const name of ["toString", "valueOf", "toJSON"])
      if (Object.hasOwn(value, name) && typeof Reflect.get(value, name) === "function")
        throw new Ended("unknown", "An object with its own conversion is not allowed.");
  return value;
}

/* oxlint-disable typescript/no-unnecessary-template-expression, typescript/no-explicit-any, typescript/no-unsafe-return, typescript/no-unsafe-type-assertion -- JavaScript's own operators on values of any type */
const BINARY: Readonly<Record<string, (a: any, b: any) => unknown>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
  "**": (a, b) => a ** b,
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
  "<<": (a, b) => a << b,
  ">>": (a, b) => a >> b,
  ">>>": (a, b) => a >>> b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  // oxlint-disable-next-line eqeqeq -- it is what is evaluated
  "==": (a, b) => a == b,
  // oxlint-disable-next-line eqeqeq
  "!=": (a, b) => a != b,
};

function binary(operator: string, left: unknown, right: unknown): unknown {
  if (operator === "===") return left === right;
  if (operator === "!==") return left !== right;
  if (operator === "in") {
    if (typeof right !== "object" || right === null) throw new TypeError("A primitive has no members.");
    return hasOwn(right, String(primitive(left))) || membersOf(right).has(String(left));
  }
  const operate = Object.hasOwn(BINARY, operator) ? BINARY[operator] : undefined;
  if (!operate) throw new Ended("unknown", `There is no operator "${operator}".`);
  const isLoose = operator === "==" || operator === "!=";
  return isLoose ? operate(left, right) : operate(primitive(left), primitive(right));
}

function textOf(value: unknown): string {
  return `${primitive(value) as string}`;
}

function spreadOf(value: unknown): Iterable<unknown> {
  const type = typeIn(value);
  if (!["string", "list", "set", "map", "URLSearchParams", "iterator"].includes(type))
    throw new TypeError("It can't be spread.");
  return value as Iterable<unknown>;
}
/* oxlint-enable */

function childOf(value: unknown): string {
  if (value === undefined || value === null || typeof value === "boolean" || typeof value === "function") return "";
  if (typeof value !== "object") return textOf(value);
  if (Array.isArray(value) || value instanceof Set) return [...value].map(childOf).join("");
  if (value instanceof Map || value instanceof URLSearchParams) return [...value].map(childOf).join("");
  throw new TypeError("React can't print it.");
}

function asTree(value: unknown): Tree {
  if (typeof value !== "object" || value === null || !("kind" in value) || typeof value.kind !== "string")
    throw new Ended("unknown", "It is not an expression.");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its other members are checked where they are used
  return value as Tree;
}

function asList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Ended("unknown", "It is not a list.");
  return value;
}
