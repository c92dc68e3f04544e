import { describe, expect, test } from "vitest";
import { z } from "zod";
import { checkVariables } from "../../src/mustache/check-variables.js";
import type { Condition, VariablesSchema } from "../../src/mustache/variables.js";
import { jsonSchema } from "./json-schema.js";

const item = z.object({ name: z.string(), note: z.string().optional(), tags: z.array(z.string()) });
const schema = z.object({
  title: z.string(),
  count: z.number(),
  vip: z.boolean(),
  at: z.date(),
  anything: z.unknown(),
  order: z.object({ number: z.string(), customer: z.object({ name: z.string() }).nullable() }),
  items: z.array(item),
  contact: z.union([z.object({ email: z.string() }), z.object({ phone: z.string() })]),
  labels: z.record(z.string(), z.object({ text: z.string() })),
  choice: z.enum(["a", "b"]),
  mixed: z.union([z.string(), z.array(item)]),
});
const json = jsonSchema(schema);

function findings(text: string, derived?: z.ZodType, conditions: readonly Condition[] = []): string[] {
  const contract = { input: json, ...(derived && { derived: jsonSchema(derived) }), conditions };
  return checkVariables([text], contract).map(({ message, nearName }) =>
    nearName ? `${message} → ${nearName}` : message,
  );
}

describe("valid tags", () => {
  test.each([
    ["names, and dotted names", "{{title}}{{count}}{{vip}}{{choice}}{{order.number}}{{order.customer.name}}"],
    [
      "sections over anything",
      "{{#vip}}x{{/vip}}{{^items}}x{{/items}}{{#title}}{{title}}{{/title}}{{#order}}{{number}}{{/order}}",
    ],
    [
      "items, and outer names",
      "{{#items}}{{name}}{{note}}{{title}}{{order.number}}{{#tags}}{{.}}{{name}}{{/tags}}{{/items}}",
    ],
    ["the members of a nullable object", "{{#order.customer}}{{name}}{{/order.customer}}"],
    ["the members of any branch of a union", "{{contact.email}}{{#contact}}{{phone}}{{/contact}}"],
    ["any member of a record", "{{labels.x.text}}{{#labels.y}}{{text}}{{/labels.y}}"],
    ["members of untyped values", "{{anything.a.b}}{{#anything}}{{c}}{{.}}{{/anything}}{{at}}"],
    ["in a section over a string or a boolean, outer names", "{{#vip}}{{title}}{{/vip}}{{#title}}{{.}}{{/title}}"],
    ["in a section over a string or a list, both", "{{#mixed}}{{name}}{{title}}{{/mixed}}"],
    ["an inverted section opens no context", "{{^items}}{{title}}{{/items}}"],
  ])("%s", (_, text) => {
    expect(findings(text)).toEqual([]);
  });

  test("derived names and their members, and conditions everywhere", () => {
    const condition: Condition = { name: "hasNote", within: ["items"], path: "note", test: { kind: "present" } };
    expect(
      findings(
        "{{total}}{{#lines}}{{amount}}{{title}}{{/lines}}{{#items}}{{#hasNote}}{{note}}{{/hasNote}}{{/items}}",
        z.object({ total: z.string(), lines: z.array(z.object({ amount: z.string() })) }),
        [condition],
      ),
    ).toEqual([]);
  });

  test("a derived name replaces the schema's", () => {
    expect(findings("{{#items}}{{price}}{{/items}}")).toEqual(['There is no variable "price" here.']);
    const priced = z.object({ items: z.array(z.object({ price: z.string() })) });
    expect(findings("{{#items}}{{price}}{{/items}}", priced)).toEqual([]);
    expect(findings("{{#items}}{{name}}{{/items}}", priced)).toEqual(['There is no variable "name" here.']);
  });

  test("the members of a recursive schema", () => {
    const node = z.object({
      name: z.string(),
      get children() {
        return z.array(node);
      },
    });
    const recursive = jsonSchema(z.object({ root: node }));
    const text = "{{#root}}{{#children}}{{#children}}{{name}}{{nme}}{{/children}}{{/children}}{{/root}}";
    expect(checkVariables([text], { input: recursive, conditions: [] }).map(({ name }) => name)).toEqual(["nme"]);
  });
});

describe("names that are not in the schema", () => {
  test.each([
    ["a name", "{{titel}}", 'There is no variable "titel" here. → title'],
    ["a name that resembles no other", "{{zzzzzzzz}}", 'There is no variable "zzzzzzzz" here.'],
    ["a section", "{{#itms}}{{anything.x}}{{/itms}}", 'There is no variable "itms" here. → items'],
    ["an inverted section", "{{^itms}}{{/itms}}", 'There is no variable "itms" here. → items'],
    ["the first part of a dotted name", "{{ordr.number}}", 'There is no variable "ordr" here. → order.number'],
    ["the second part", "{{order.numbr}}", '"order" has no "numbr". → order.number'],
    ["the third part", "{{order.customer.nme}}", '"order.customer" has no "nme". → order.customer.name'],
    ["a middle part", "{{order.custmer.name}}", '"order" has no "custmer". → order.customer.name'],
    ["a member outside its section", "{{note}}", 'There is no variable "note" here.'],
    ["an item's member", "{{#items}}{{nme}}{{/items}}", 'There is no variable "nme" here. → name'],
    ["an item's member if the list is empty", "{{^items}}{{name}}{{/items}}", 'There is no variable "name" here.'],
    ["a member of a possible list", "{{mixed.name}}", '"mixed" has no "name".'],
    ["a member of a string", "{{title.size}}", '"title" has no "size".'],
    ["an item by a dotted name", "{{items.name}}", '"items" is a list: "name" is only available in a section over it.'],
  ])("%s: %s", (_, text, expected) => {
    expect(findings(text)).toEqual([expected]);
  });

  test("a similar name may be derived, or belong to a condition", () => {
    const condition: Condition = { name: "hasItems", within: [], path: "items", test: { kind: "has-items" } };
    expect(findings("{{totl}}{{#hasItem}}{{/hasItem}}", z.object({ total: z.string() }), [condition])).toEqual([
      'There is no variable "totl" here. → total',
      'There is no variable "hasItem" here. → hasItems',
    ]);
  });

  test("the item itself if only some engines enter the section", () => {
    expect(findings("{{#vip}}{{.}}{{/vip}}")).toEqual([
      'In a section over a boolean, engines disagree on what "." is. Write a name.',
    ]);
  });

  test("inside an unknown section nothing else is reported", () => {
    expect(findings("{{#itms}}{{a}}{{b.c}}{{/itms}}")).toHaveLength(1);
  });
});

describe("values that can't be printed", () => {
  test.each([
    ["a list", "{{items}}", '"items" is a list, which can\'t be printed as a whole: use a section over it.'],
    ["an object", "{{{order}}}", '"order" is an object, which can\'t be printed as a whole: print its members.'],
    [
      "an object by a dotted name",
      "{{order.customer}}",
      '"order.customer" is an object, which can\'t be printed as a whole: print its members.',
    ],
    ["a possible list", "{{mixed}}", '"mixed" is a list, which can\'t be printed as a whole: use a section over it.'],
    [
      "an item that is an object",
      "{{#items}}{{.}}{{/items}}",
      "What this tag prints is an object, which can't be printed as a whole: print its members.",
    ],
    [
      "the variables as a whole",
      "{{.}}",
      "What this tag prints is an object, which can't be printed as a whole: print its members.",
    ],
  ])("%s: %s", (_, text, expected) => {
    expect(findings(text)).toEqual([expected]);
  });
});

test("each finding contains the part and the position", () => {
  expect(
    checkVariables(["{{title}}", "a{{x}}", "{{#items}}b{{order.y}}{{/items}}"], { input: json, conditions: [] }),
  ).toEqual([
    { name: "x", textIndex: 1, offset: 1, message: 'There is no variable "x" here.' },
    { name: "order.y", textIndex: 2, offset: 11, message: '"order" has no "y".' },
  ]);
});

describe("a test whose result is always the same", () => {
  const input: VariablesSchema = {
    type: "object",
    properties: {
      name: { type: "string" },
      status: { type: "string", enum: ["paid", "due"] },
      items: { type: "array", items: { type: "string" } },
      anything: {},
    },
  };
  const asking = (path: string, question: Condition["test"]) =>
    checkVariables(["{{#tested}}x{{/tested}}"], {
      input,
      conditions: [{ name: "tested", within: [], path, test: question }],
    }).map(({ message, nearName }) => [message, nearName]);

  test.each<[string, Condition["test"], string, string?]>([
    ["name", { kind: "has-items" }, '"name" is not a list, so it never has items. Test with is-present instead.'],
    [
      "items",
      { kind: "compares", operator: ">", value: 3 },
      '"items" is not a number, so it can\'t be compared with 3.',
    ],
    ["status", { kind: "equals", value: "payd" }, '"status" is never "payd": it is "paid" or "due".', "paid"],
  ])("is reported: %s %j", (path, question, message, near) => {
    expect(asking(path, question)).toEqual([[message, near]]);
  });

  test.each<[string, Condition["test"]]>([
    ["items", { kind: "has-items" }],
    ["name", { kind: "equals", value: "Ann" }],
    ["status", { kind: "equals", value: "due" }],
    ["anything", { kind: "has-items" }],
    ["anything", { kind: "compares", operator: "<", value: 1 }],
  ])("is not reported for a meaningful test: %s %j", (path, question) => {
    expect(asking(path, question)).toEqual([]);
  });
});
