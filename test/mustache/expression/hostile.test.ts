import { describe, expect, it } from "vitest";
import { evaluate } from "../../../src/mustache/expression/evaluate.js";
import type { ComputeContext, Expression } from "../../../src/mustache/expression/expression.js";
import { expressionOfSource } from "./expression-of-source.js";
import { CONTEXT } from "./native.js";

function run(source: string | Expression, variables: object = {}, context: Partial<ComputeContext> = {}): unknown {
  const expression = typeof source === "string" ? expressionOfSource(source) : source;
  return evaluate(expression, [variables], [0], { ...CONTEXT, ...context });
}

function failing(code: string): unknown {
  return expect.objectContaining({ name: "ExpressionError", code });
}

const DANGEROUS = [
  "constructor",
  "__proto__",
  "prototype",
  "call",
  "apply",
  "bind",
  "__defineGetter__",
  "caller",
  "arguments",
];
const OBJECTS = [
  "'a'",
  "1",
  "1n",
  "true",
  "[]",
  "{}",
  "/a/",
  "new Date(0)",
  "new Map()",
  "new Set()",
  "(() => 1)",
  "Math.round",
  "String",
];
const FORMATTERS = ["new Intl.NumberFormat()", "new Intl.Collator().compare", "'a'.trim", "[].values()"];

describe("a hostile expression", () => {
  it.each(DANGEROUS)("reads nothing from `%s`", (name) => {
    for (const object of [...OBJECTS, ...FORMATTERS]) {
      expect(run(`(${object}).${name}`), object).toBeUndefined();
      expect(run(`(${object})[key]`, { key: name }), object).toBeUndefined();
      expect(run(`(${object})[[key]]`, { key: name }), object).toBeUndefined();
      expect(() => run(`(${object}).${name}('return 1')`), object).toThrow(failing("throws"));
    }
    expect(run({ kind: "variable", names: [name] })).toBeUndefined();
    expect(run({ kind: "variable", names: ["list", name] }, { list: [] })).toBeUndefined();
  });

  it.each([
    "globalThis",
    "process",
    "Function",
    "eval",
    "Reflect.get",
    "Math",
    "Intl",
    "Object",
    "Object.getPrototypeOf",
    "Symbol",
    "Math.random",
    "Date.now",
    "toString",
    "__proto__",
    "constructor",
    "Math.constructor",
    "Object.prototype",
  ])("does not know the name `%s`", (name) => {
    expect(() => run({ kind: "name", name })).toThrow(failing("unknown"));
    expect(() => run({ kind: "call", callee: { kind: "name", name }, args: [] })).toThrow(failing("unknown"));
  });

  it.each(["new Date()", "Date()", "new String('a')", "new Object()", "new Math.round(1)"])(
    "does not know %s",
    (source) => {
      expect(() => run(source)).toThrow(
        failing(source === "Date()" || source.startsWith("new") ? "unknown" : "throws"),
      );
    },
  );

  it("does not print the current time", () => {
    expect(() => run("new Intl.DateTimeFormat().format()")).toThrow(failing("throws"));
    expect(() => run("[undefined].map(new Intl.DateTimeFormat().format)")).toThrow(failing("throws"));
    expect(() => run("new Intl.DateTimeFormat().formatToParts(a)")).toThrow(failing("throws"));
  });

  it("reads nothing from functions or from lists of sections", () => {
    expect(run({ kind: "variable", names: ["f", "prototype"] }, { f: Map })).toBeUndefined();
    expect(run("f.prototype", { f: Map })).toBeUndefined();
    for (const scope of ["constructor", "map", "length", ["map"]]) {
      expect(run({ kind: "variable", scope, names: [] } as unknown as Expression)).toBeUndefined();
      expect(run({ kind: "index", scope } as unknown as Expression)).toBeUndefined();
    }
  });

  it("does not call functions that an application passes", () => {
    let calls = 0;
    const f = (): number => (calls += 1);
    for (const source of [
      "f()",
      "o.f()",
      "[1].map(f)",
      "[1].map(o.f)",
      "JSON.stringify([1], f)",
      "'a'.replace('a', f)",
      "new f()",
    ])
      expect(() => run(source, { f, o: { f } }), source).toThrow();
    expect(calls).toBe(0);
  });

  it("does not run own functions by converting objects", () => {
    for (const name of ["toString", "valueOf", "toJSON"]) {
      expect(() => run(`String({ ${name}: () => 'a' })`)).toThrow(failing("unknown"));
      expect(() => run(`Object.fromEntries([['${name}', () => 'a']]) + ''`)).toThrow(failing("unknown"));
    }
    expect(run("`${{ toString: 1, valueOf: 2, a: 1 }.a}`")).toBe("1");
  });

  it("never shows the source of a function", () => {
    for (const source of [
      "String(() => 1)",
      "`${Math.round}`",
      "[String].join()",
      "'' + (() => 1)",
      "JSON.stringify(String([String]))",
    ])
      expect(() => run(source), source).toThrow(failing("unknown"));
  });

  it("can't change variables or anything built in", () => {
    const variables = Object.freeze({ list: Object.freeze([3, 1, 2]), o: Object.freeze({ a: 1 }) });
    for (const source of [
      "list.sort()",
      "list.reverse()",
      "list.pop()",
      "list.splice(0)",
      "list.fill(0)",
      "list.push(1)",
      "list.unshift(1)",
      "list.copyWithin(0, 1)",
      "Object.assign(o, { b: 1 })",
    ])
      expect(() => run(source, variables), source).not.toThrow();
    run("Object.fromEntries([['__proto__', o], ['constructor', o]])", variables);
    run('Object.assign({}, JSON.parse(\'{"__proto__": { "polluted": 1 }}\'))');
    run({
      kind: "object",
      members: [["__proto__", { kind: "object", members: [["polluted", { kind: "value", value: 1 }]] }]],
    });
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  it("changes nothing but copies", () => {
    const inner = [1];
    const variables = {
      list: [inner],
      o: { inner },
      date: new Date(0),
      map: new Map([["a", inner]]),
      set: new Set([1]),
      url: new URL("https://example.com/?a=1"),
      text: "a",
    };
    const before = structuredClone({ ...variables, url: variables.url.href });
    for (const of of Object.keys(variables))
      for (const name of [
        "push",
        "0",
        "length",
        "setTime",
        "set",
        "add",
        "clear",
        "delete",
        "search",
        "append",
        "inner",
      ])
        for (const around of [[], ["searchParams"], ["inner"], ["0"], ["a", "searchParams"]]) {
          const names = [...around, name];
          const change: Expression = { kind: "change", of: { kind: "variable", names: [of] }, names, args: [] };
          try {
            run(change, variables);
          } catch (error) {
            expect(error).toMatchObject({ name: "ExpressionError" });
          }
        }
    expect({ ...variables, url: variables.url.href }).toEqual(before);
  });

  it.each([
    "constructor",
    "__proto__",
    "prototype",
    "toString",
    "entries",
    "searchParams",
    "origin",
    "size",
    "__defineGetter__",
  ])("does not call or assign `%s` as a change", (name) => {
    for (const of of ["[]", "new Date(0)", "new Map()", "new Set()", "new URL('https://example.com')", "{}", "'a'"]) {
      const args = [expressionOfSource("{ polluted: 1 }")];
      for (const names of [[name], ["searchParams", name], [name, "push"], []])
        expect(() => run({ kind: "change", of: expressionOfSource(of), names, args }), of).toThrow(failing("throws"));
    }
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  it.each<Expression>([
    JSON.parse('{"kind":"nothing"}'),
    JSON.parse('{"kind":"constructor"}'),
    { kind: "spread", of: { kind: "list", items: [] } },
    { kind: "unary", operator: "delete", of: { kind: "value", value: 1 } },
    { kind: "unary", operator: "constructor", of: { kind: "value", value: 1 } },
    { kind: "binary", operator: "toString", left: { kind: "value", value: 1 }, right: { kind: "value", value: 1 } },
    { kind: "binary", operator: ",", left: { kind: "value", value: 1 }, right: { kind: "value", value: 1 } },
    { kind: "parameter", name: "a" },
    { kind: "package", module: "date-fns", name: "format" },
    { kind: "package", module: "constructor", name: "constructor" },
  ])("does not know %j", (expression) => {
    expect(() => run(expression)).toThrow(failing("unknown"));
  });

  it.each<unknown>([
    null,
    1,
    "a",
    [],
    {},
    { kind: "call" },
    { kind: "call", callee: { kind: "value", value: 1 }, args: 5 },
    { kind: "member", of: null, name: "a" },
    { kind: "variable" },
    { kind: "variable", scope: "length", names: ["a"] },
    { kind: "variable", scope: -1, names: {} },
    { kind: "list", items: {} },
    { kind: "text", parts: 1 },
    { kind: "object", members: [1] },
    { kind: "function" },
    { kind: "pattern", source: "(", flags: "" },
    { kind: "pattern", source: {}, flags: [] },
    { kind: "binary", operator: {}, left: {}, right: {} },
    { kind: "change", of: { kind: "list", items: [] }, names: "push", args: [] },
    { kind: "change", of: { kind: "list", items: [] }, names: [["push"]], args: {} },
    { kind: "change", of: null, names: ["push"] },
    { kind: { toString: 1 } },
    { kind: "value", value: { kind: "value" } },
  ])("ends with an ExpressionError or a value for the malformed %j", (expression) => {
    try {
      run(expression as Expression);
    } catch (error) {
      expect(error).toMatchObject({ name: "ExpressionError" });
    }
  });
});

describe("functions of packages", () => {
  class Moment {
    readonly #time: number;
    constructor(time: number) {
      this.#time = time;
    }
    get year(): number {
      return 1970 + this.#time;
    }
    add(years: number): Moment {
      return new Moment(this.#time + years);
    }
    format(render: (year: number) => string = String): string {
      return render(this.year);
    }
  }
  const moment = Object.assign((time: number) => new Moment(time), { utc: (time: number) => [new Moment(time)] });
  const functions = {
    "moments default": moment,
    "moments Moment": Moment,
    "text upper": (text: string) => text.toUpperCase(),
    "text curried": (a: string) => (b: string) => a + b,
  };
  const call = (name: string, ...args: Expression[]): Expression => {
    const [module = "", member = ""] = name.split(" ");
    return { kind: "call", callee: { kind: "package", module, name: member }, args };
  };
  const of = (expression: Expression, ...names: string[]): Expression =>
    names.reduce<Expression>((inner, name) => ({ kind: "member", of: inner, name }), expression);
  const one: Expression = { kind: "value", value: 1 };
  const text: Expression = { kind: "variable", names: ["text"] };

  it("are called, and methods of what they return", () => {
    expect(run(call("text upper", text), { text: "a" }, { functions })).toBe("A");
    expect(run({ kind: "call", callee: call("text curried", text), args: [text] }, { text: "a" }, { functions })).toBe(
      "aa",
    );
    const later: Expression = { kind: "call", callee: of(call("moments default", one), "add"), args: [one] };
    expect(run({ kind: "call", callee: of(later, "format"), args: [] }, {}, { functions })).toBe("1972");
    expect(run(of(later, "year"), {}, { functions })).toBe(1972);
    const render = expressionOfSource("(year) => `in ${year}`");
    expect(run({ kind: "call", callee: of(later, "format"), args: [render] }, {}, { functions })).toBe("in 1972");
    const made: Expression = {
      kind: "call",
      isNew: true,
      callee: { kind: "package", module: "moments", name: "Moment" },
      args: [one],
    };
    expect(run(of(made, "year"), {}, { functions })).toBe(1971);
    const utc: Expression = {
      kind: "call",
      callee: of({ kind: "package", module: "moments", name: "default" }, "utc"),
      args: [one],
    };
    const years = expressionOfSource("(m) => m.format()");
    expect(run({ kind: "call", callee: of(utc, "map"), args: [years] }, {}, { functions })).toEqual(["1971"]);
  });

  it.each(DANGEROUS)("give no access to `%s`", (name) => {
    for (const target of [call("moments default", one), { kind: "package", module: "text", name: "upper" } as const]) {
      expect(() => run(of(target, name), {}, { functions })).toThrow(failing("unknown"));
      expect(() => run({ kind: "call", callee: of(target, name), args: [one] }, {}, { functions })).toThrow(
        failing("unknown"),
      );
    }
  });

  it("throw within the expression", () => {
    const failingFunctions = {
      "a b": () => {
        throw new Error("No such format");
      },
    };
    expect(() => run(call("a b"), {}, { functions: failingFunctions })).toThrow(failing("throws"));
  });

  it("don't make methods of the application's objects available", () => {
    expect(() => run("order.add(1)", { order: new Moment(1) })).toThrow(failing("throws"));
    expect(run("order.year", { order: new Moment(1) })).toBeUndefined();
  });
});
