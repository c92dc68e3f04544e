import { expect, test } from "vitest";
import { z } from "zod";
import { declareVariables } from "../../src/registry/generate.js";
import { Identifiers } from "../../src/registry/print-type.js";
import { variablesSchemaOf } from "../../src/project/variables-task.js";

function declare(schema: z.ZodObject, description = ""): string {
  return declareVariables("ReceiptVariables", variablesSchemaOf(schema), description, new Identifiers()).join("\n");
}

/** The type of one required member. */
const typeOf = (schema: z.ZodType) =>
  /value\??: (.*);\n\}$/s.exec(declare(z.object({ value: schema })))?.[1]?.replaceAll(/\s+/g, " ");

test("an object is an interface, documented by its descriptions", () => {
  const schema = z.object({
    number: z.string().describe("As printed on the invoice. Ends */ here?"),
    note: z.string().describe("From the customer.\nMay be long.").optional(),
    paid: z.boolean().default(false),
    "order-id": z.int().describe("Ours").nullable(),
    items: z.array(z.object({ name: z.string(), price: z.number().optional() })),
  });
  expect(declare(schema, 'The variables of the template "receipt".')).toMatchInlineSnapshot(`
    "/** The variables of the template "receipt". */
    export interface ReceiptVariables {
      /** As printed on the invoice. Ends *\\/ here? */
      number: string;
      /**
       * From the customer.
       * May be long.
       */
      note?: string | undefined;
      /** @default false */
      paid?: boolean | undefined;
      /** Ours */
      "order-id": number | null;
      items: readonly {
        name: string;
        price?: number | undefined;
      }[];
    }"
  `);
});

test.each([
  [z.string(), "string"],
  [z.email(), "string"],
  [z.iso.date(), "string"],
  [z.int(), "number"],
  [z.number().positive(), "number"],
  [z.boolean(), "boolean"],
  [z.null(), "null"],
  [z.any(), "unknown"],
  [z.date(), "Date | string"],
  [z.array(z.coerce.date()), "readonly (Date | string)[]"],
  [z.iso.datetime().nullable(), "Date | string | null"],
  [z.union([z.date(), z.string()]), "Date | string"],
  [z.union([z.number(), z.bigint(), z.null()]), "number | bigint | string | null"],
  [z.bigint(), "bigint | number | string"],
  [z.array(z.bigint().nullable()), "readonly (bigint | number | string | null)[]"],
  [z.enum(["a", 'b"']), String.raw`"a" | "b\""`],
  [z.literal(7), "7"],
  [z.literal(["a", 1, null]), '"a" | 1 | null'],
  [z.string().nullable(), "string | null"],
  [z.union([z.string(), z.number(), z.string()]), "string | number"],
  [z.union([z.string(), z.unknown()]), "unknown"],
  [z.array(z.string()), "readonly string[]"],
  [z.array(z.string().nullable()), "readonly (string | null)[]"],
  [z.array(z.enum(["a", "b"])), 'readonly ("a" | "b")[]'],
  [z.array(z.enum(["a"])), 'readonly "a"[]'],
  [z.array(z.array(z.string())), "readonly (readonly string[])[]"],
  [z.array(z.union([z.array(z.string())])), "readonly (readonly string[])[]"],
  [z.array(z.unknown()), "readonly unknown[]"],
  [z.tuple([z.string(), z.number()]), "readonly [string, number]"],
  [z.tuple([z.string()], z.number().nullable()), "readonly [string, ...(number | null)[]]"],
  [z.record(z.string(), z.number()), "Readonly<Record<string, number>>"],
  [z.record(z.enum(["de", "en"]), z.string()), "{ de: string; en: string; }"],
  [z.partialRecord(z.enum(["de"]), z.string()), "Readonly<Record<string, string>>"],
  [z.looseObject({ a: z.string() }), "{ a: string; [name: string]: unknown; }"],
  [z.strictObject({ a: z.string() }), "{ a: string; }"],
  [z.object({ a: z.string() }).catchall(z.number()), "{ a: string; [name: string]: unknown; }"],
  [z.object({}), "Record<string, never>"],
  [z.string().transform(Number), "string"],
  [
    z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("card"), last4: z.string() }),
      z.object({ kind: z.literal("cash") }),
    ]),
    '{ kind: "card"; last4: string; } | { kind: "cash"; }',
  ],
])("%# prints what the application passes", (schema, type) => {
  expect(typeOf(schema)).toBe(type);
});

test("names that aren't identifiers are quoted", () => {
  const names = ["a", "$b", "_c", "1d", "e f", "g.h", "ünder", "", "class", 'q"'];
  const text = declare(z.object(Object.fromEntries(names.map((name) => [name, z.string()]))));
  expect(text.match(/^ {2}.*(?=: string;)/gm)).toEqual([
    "  a",
    "  $b",
    "  _c",
    '  "1d"',
    '  "e f"',
    '  "g.h"',
    '  "ünder"',
    '  ""',
    "  class",
    '  "q\\""',
  ]);
});

test("without variables, the type allows no members", () => {
  expect(declare(z.object({}))).toBe("export type ReceiptVariables = Record<string, never>;");
});

test("a recursive type has a name", () => {
  const category = z.object({
    name: z.string(),
    get parts() {
      return z.array(category).optional();
    },
  });
  expect(declare(category)).toContain("parts?: readonly ReceiptVariables[] | undefined;");
  const money = z.object({ amount: z.number() }).meta({ id: "Money", description: "In cents." });
  expect(declare(z.object({ category, price: money, tax: money }))).toMatchInlineSnapshot(`
    "export interface ReceiptVariables {
      category: ReceiptVariablesSchema0;
      price: ReceiptVariablesMoney;
      tax: ReceiptVariablesMoney;
    }
    export interface ReceiptVariablesSchema0 {
      name: string;
      parts?: readonly ReceiptVariablesSchema0[] | undefined;
    }
    /** In cents. */
    export interface ReceiptVariablesMoney {
      amount: number;
    }"
  `);
});

test("every template name gives a separate interface", () => {
  const identifiers = new Identifiers();
  const names = [
    "password-reset",
    "password_reset",
    "2fa-code",
    "template",
    "a",
    "A",
    "---",
    "x--y",
    "password-reset2",
  ];
  expect(names.map((name) => identifiers.typeName(name, "Variables"))).toEqual([
    "PasswordResetVariables",
    "PasswordReset2Variables",
    "Template2faCodeVariables",
    "Template2Variables",
    "AVariables",
    "A2Variables",
    "Template3Variables",
    "XYVariables",
    "PasswordReset22Variables",
  ]);
});
