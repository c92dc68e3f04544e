import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ConditionNames } from "../../src/mustache/condition-names.js";
import { inferSchema } from "../../src/mustache/infer.js";
import { checkVariables } from "../../src/mustache/check-variables.js";
import type { Condition, Variables, VariablesSchema } from "../../src/mustache/variables.js";
import { template, variables } from "./templates.js";

/** A schema in TypeScript notation. */
function typeOf(schema: VariablesSchema): string {
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" | ");
  if (schema.type === "array") return `Array<${typeof schema.items === "object" ? typeOf(schema.items) : "unknown"}>`;
  if (schema.type !== "object") return schema.type ?? "unknown";
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    return `${name}${schema.required?.includes(name) ? "" : "?"}: ${typeOf(member)}`;
  });
  return `{ ${members.join("; ")} }`;
}

function inferred(text: string | readonly string[], ...examples: readonly Variables[]): string {
  return typeOf(inferSchema(typeof text === "string" ? [text] : text, examples));
}

/** The parts of a type without their order. */
function membersOf(type: string): string[] {
  return type.match(/\w+\??: \w+|[<>{}]/g)?.sort() ?? [];
}

/** Plain data with few names, so that they coincide. */
const data = fc.letrec<{ value: unknown; members: Variables }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, 0, 1.5, "", "x"),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("members"),
  ),
  members: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value")),
}));

describe("with examples", () => {
  test("a receipt is read exactly", () => {
    const texts = [
      "Receipt {{{order.number}}}",
      "{{#vip}}VIP {{user.name}}{{/vip}}{{#items}}<tr><td>{{name}}</td><td>{{price}}</td></tr>{{/items}}{{#note}}{{note}}{{/note}}",
      "{{#items}}{{{name}}}{{/items}}{{^items}}nothing{{/items}}",
    ];
    const user = { name: "Ada" };
    const order = { number: 7 };
    expect(
      inferred(
        texts,
        { vip: true, user, order, note: "Thanks", items: [{ name: "Tea", price: "€4" }] },
        { vip: false, user, order, items: [] },
      ),
    ).toBe(
      "{ vip: boolean; user: { name: string }; order: { number: number }; note?: string; items: Array<{ name: string; price: string }> }",
    );
  });

  test.each<[string, string, Variables[], string]>([
    ["strings, numbers, booleans", "", [{ a: "x", b: 1.5, c: false }], "{ a: string; b: number; c: boolean }"],
    ["a name without tags is a variable, too", "{{a}}", [{ a: "x", unused: 1 }], "{ a: string; unused: number }"],
    ["a section over a string keeps it a string", "{{#note}}{{note}}{{/note}}", [{ note: "x" }], "{ note: string }"],
    ["a section over an object", "{{#user}}{{name}}{{/user}}", [{ user: { name: "x" } }], "{ user: { name: string } }"],
    ["a list of strings", "{{#tags}}{{.}}{{/tags}}", [{ tags: ["x"] }], "{ tags: Array<string> }"],
    ["a list of lists", "{{#rows}}{{#.}}{{.}}{{/.}}{{/rows}}", [{ rows: [[1]] }], "{ rows: Array<Array<number>> }"],
    [
      "an outer name in a list of strings",
      "{{#tags}}{{.}}{{sep}}{{/tags}}",
      [{ tags: ["x"], sep: "," }],
      "{ tags: Array<string>; sep: string }",
    ],
    [
      "a name in a list of strings that no example has",
      "{{#tags}}{{.}}{{sep}}{{/tags}}",
      [{ tags: ["x"] }],
      "{ tags: Array<string>; sep: string }",
    ],
    [
      "an outer name in a list of objects",
      "{{#items}}{{name}}{{currency}}{{/items}}",
      [{ items: [{ name: "x" }], currency: "€" }],
      "{ items: Array<{ name: string }>; currency: string }",
    ],
    ["different types", "", [{ a: 1 }, { a: "x" }], "{ a: string | number }"],
    ["null next to another type makes it optional", "", [{ a: "x" }, { a: null }], "{ a?: string | null }"],
    [
      "an object or a list of them",
      "",
      [{ a: { b: 1 } }, { a: [{ b: 1 }] }],
      "{ a: { b: number } | Array<{ b: number }> }",
    ],
    ["a date is a string, as in JSON", "", [{ at: new Date(0) }], "{ at: string }"],
    ["functions are absent", "", [{ a: 1, c: () => 1 }], "{ a: number }"],
    ["undefined makes it optional", "{{b}}", [{ a: 1, b: undefined }], "{ a: number; b?: string }"],
    ["one example makes nothing optional", "{{a}}{{b}}", [{ a: "x" }], "{ a: string; b: string }"],
    ["two examples do", "", [{ a: "x" }, { a: "x", b: "y" }], "{ a: string; b?: string }"],
    ["two items do, too", "", [{ items: [{ a: 1 }, { a: 1, b: 2 }] }], "{ items: Array<{ a: number; b?: number }> }"],
    [
      "a member of an optional object is not itself optional",
      "",
      [{}, { user: { name: "x" } }],
      "{ user?: { name: string } }",
    ],
    [
      "a name that no example has is required, so that a typo is found",
      "{{nmae}}",
      [{ name: "x" }, { name: "y" }],
      "{ name: string; nmae: string }",
    ],
    [
      "a list that is empty in every example takes its items from the tags",
      "{{#items}}{{name}}{{/items}}",
      [{ items: [] }],
      "{ items: Array<{ name: string }> }",
    ],
    ["a list without any information", "{{#items}}x{{/items}}", [{ items: [] }], "{ items: Array<unknown> }"],
    [
      "only null: typed by the tags",
      "{{a}}{{#b}}{{c}}{{/b}}",
      [{ a: null, b: null }],
      "{ a?: string | null; b?: Array<{ c: string }> | null }",
    ],
    ["only null, without a tag", "", [{ a: null }], "{ a?: unknown }"],
  ])("%s", (_, text, examples, expected) => {
    expect(inferred(text, ...examples)).toBe(expected);
  });

  test("every example matches what was inferred from all of them", () => {
    fc.assert(
      fc.property(fc.array(data.members, { minLength: 1, maxLength: 4 }), (given) => {
        const schema = z.fromJSONSchema(JSON.parse(JSON.stringify(inferSchema([], given))));
        for (const example of given) expect(schema.safeParse(example).success).toBe(true);
      }),
      { numRuns: process.env["MODE"] === "long" ? 3000 : 50 },
    );
  });
});

describe("from tags alone", () => {
  test.each([
    ["nothing", "", "{  }"],
    ["a printed name is a string", "{{a}}{{{b}}}{{&c}}", "{ a: string; b: string; c: string }"],
    ["dotted names make objects", "{{a.b}}{{a.c.d}}", "{ a: { b: string; c: { d: string } } }"],
    ["a section without own names is a boolean", "{{#a}}x{{/a}}{{^b}}y{{/b}}", "{ a: boolean; b: boolean }"],
    ["a section with own names is a list", "{{#a}}{{b}}{{/a}}", "{ a: Array<{ b: string }> }"],
    ["a section that prints its item is a list of strings", "{{#a}}{{.}}{{/a}}", "{ a: Array<string> }"],
    ["lists in lists", "{{#a}}{{#b}}{{c}}{{/b}}{{#.}}{{/.}}{{/a}}", "{ a: Array<{ b: Array<{ c: string }> }> }"],
    ["lists of lists", "{{#a}}{{#.}}{{b}}{{/.}}{{/a}}", "{ a: Array<Array<{ b: string }>> }"],
    ["an outer name belongs there", "{{#a}}{{b}}{{/a}}{{b}}", "{ b: string; a: boolean }"],
    [
      "a section over a name that is also printed is a string",
      "{{#note}}{{note}}{{/note}}{{note}}",
      "{ note: string }",
    ],
    [
      "a section over a name that starts dotted names is an object",
      "{{#user}}{{name}}{{/user}}{{user.email}}",
      "{ user: { email: string; name: string } }",
    ],
    ["an inverted section opens no context", "{{^a}}{{b}}{{/a}}", "{ a: boolean; b: string }"],
  ])("%s", (_, text, expected) => {
    expect(membersOf(inferred(text))).toEqual(membersOf(expected));
  });

  test("subject, HTML and text are inferred together", () => {
    expect(inferred(["{{#items}}{{a}}{{/items}}", "{{#items}}{{b}}{{/items}}{{c}}"])).toBe(
      "{ items: Array<{ a: string; b: string }>; c: string }",
    );
    expect(inferred(["{{#vip}}{{name}}{{/vip}}", "{{name}}"])).toBe("{ vip: boolean; name: string }");
  });
});

test("what is inferred contains every name that the tags use", () => {
  fc.assert(
    fc.property(fc.array(template, { maxLength: 3 }), fc.array(variables, { maxLength: 3 }), (texts, examples) => {
      const unknown = checkVariables(texts, { input: inferSchema(texts, examples), conditions: [] }).filter(
        ({ message }) => /^There is no| has no |is found only/.test(message),
      );
      expect(unknown).toEqual([]);
    }),
    { numRuns: process.env["MODE"] === "long" ? 5000 : 100 },
  );
});

test("conditions are not variables, wherever they are; their content is read as if they weren't there", () => {
  const text =
    "{{#note__is_yes}}{{note}}{{/note__is_yes}}{{#order_paid__is_yes}}{{#items}}{{#tag__is_yes}}{{tag}}{{/tag__is_yes}}{{/items}}{{/order_paid__is_yes}}{{^note__is_yes}}{{name}}{{/note__is_yes}}";
  const names = new ConditionNames();
  const isYes = { kind: "equals", value: "yes" } as const;
  names.nameFor({ within: [], path: "note", test: isYes });
  names.nameFor({ within: [], path: "order.paid", test: isYes });
  names.nameFor({ within: ["items"], path: "tag", test: isYes });
  const examples = [{ note: "n", name: "Ada", order: { paid: "yes" }, items: [{ tag: "t" }] }];
  const string = { type: "string" };
  expect(inferSchema([text], examples, names.list)).toEqual({
    type: "object",
    required: ["note", "name", "order", "items"],
    properties: {
      note: string,
      name: string,
      order: { type: "object", required: ["paid"], properties: { paid: string } },
      items: { type: "array", items: { type: "object", required: ["tag"], properties: { tag: string } } },
    },
  });
});

describe("conditions", () => {
  /** What is inferred from one section with each of these conditions, and one example. */
  function inferredFrom(
    questions: readonly (readonly [path: string, test: Condition["test"], within?: readonly string[]])[],
    examples: readonly Variables[],
    text = "",
  ): string {
    const names = new ConditionNames();
    const tags = questions.map(([path, question, within = []]) => {
      const name = names.nameFor({ path, test: question, within });
      return (
        [...within, name].map((each) => `{{#${each}}}`).join("") +
        [name, ...within.toReversed()].map((each) => `{{/${each}}}`).join("")
      );
    });
    return typeOf(inferSchema([text, ...tags], examples, names.list));
  }

  const present = { kind: "present" } as const;
  const truthy = { kind: "truthy" } as const;

  test("that test for presence make a variable optional, with one example", () => {
    expect(inferredFrom([["name", present]], [{ name: "Ada" }], "{{name}}")).toBe("{ name?: string }");
    expect(inferredFrom([["note", truthy]], [{ note: "x" }])).toBe("{ note?: string }");
    expect(inferredFrom([["a.b", { kind: "equals", value: null }]], [{ a: { b: 1 } }])).toBe("{ a: { b?: number } }");
    expect(inferredFrom([["note", present, ["items"]]], [{ items: [{ note: "x" }] }])).toBe(
      "{ items: Array<{ note?: string }> }",
    );
  });

  test("that test whether a boolean is true imply nothing", () => {
    expect(inferredFrom([["vip", truthy]], [{ vip: true }])).toBe("{ vip: boolean }");
    expect(inferredFrom([["vip", truthy]], [])).toBe("{ vip: boolean }");
  });

  test("determine the type if no example does", () => {
    const tests: [Condition["test"], string][] = [
      [{ kind: "equals", value: "paid" }, "string"],
      [{ kind: "equals", value: 3 }, "number"],
      [{ kind: "compares", operator: ">", value: 3 }, "number"],
      [{ kind: "has-items" }, "Array<unknown>"],
      [{ kind: "has-at-least", count: 2 }, "Array<unknown>"],
      [
        { kind: "some", path: "price", test: { kind: "compares", operator: ">", value: 3 } },
        "Array<{ price: number }>",
      ],
    ];
    for (const [question, type] of tests) expect(inferredFrom([["a", question]], [])).toBe(`{ a: ${type} }`);
  });

  test("that select an item or rename an item's member refer to the list's items", () => {
    const names = new ConditionNames();
    const first = names.nameFor({ path: "items", test: { kind: "item", index: 0 }, within: [] });
    const items = names.nameFor({ path: "tags", test: { kind: "items", as: "tags__item" }, within: [] });
    const text = `{{#${first}}}{{name}}{{/${first}}}{{#${items}}}{{tags__item}}{{/${items}}}`;
    expect(typeOf(inferSchema([text], [], names.list))).toBe("{ items: Array<{ name: string }>; tags: Array<string> }");
  });
});
