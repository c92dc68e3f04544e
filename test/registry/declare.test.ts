import { expect, test } from "vitest";
import { z } from "zod";
import { declareFilled } from "../../src/registry/generate.js";
import { Identifiers } from "../../src/registry/print-type.js";
import { variablesSchemaOf } from "../../src/project/variables-task.js";

function declare(input: z.ZodObject, derived?: z.ZodObject): string {
  const contract = {
    input: variablesSchemaOf(input),
    ...(derived && { derived: variablesSchemaOf(derived, "output") }),
  };
  return declareFilled("ReceiptFilledVariables", contract, "", new Identifiers()).join("\n");
}

test("absent values are null, dates are strings, defaults are present, and derived variables replace passed ones", () => {
  const input = z.object({
    number: z.string().describe("As printed."),
    total: z.number().describe("In cents."),
    at: z.date().optional(),
    note: z.string().nullish().describe("From the customer."),
    currency: z.enum(["EUR", "CHF"]).default("EUR"),
    items: z.array(z.object({ name: z.string(), gift: z.boolean().optional() })),
    anything: z.unknown().optional(),
  });
  const derived = z.object({ total: z.string(), discount: z.object({ amount: z.string() }).nullable() });
  expect(declare(input, derived)).toMatchInlineSnapshot(`
    "export interface ReceiptFilledVariables {
      /** As printed. */
      number: string;
      total: string;
      at: string | null;
      /** From the customer. */
      note: string | null;
      currency: "EUR" | "CHF";
      items: readonly {
        name: string;
        gift: boolean | null;
      }[];
      anything: unknown;
      discount: {
        amount: string;
      } | null;
    }"
  `);
});

test("a recursive type has a name on each side", () => {
  const passed = z.object({
    name: z.string(),
    get parts() {
      return z.array(passed);
    },
  });
  const derived = z.object({
    total: z.string(),
    get parts() {
      return z.array(derived).optional();
    },
  });
  expect(declare(z.object({ passed, other: passed }), z.object({ derived }))).toMatchInlineSnapshot(`
    "export interface ReceiptFilledVariables {
      passed: ReceiptFilledVariablesSchema0;
      other: ReceiptFilledVariablesSchema0;
      derived: ReceiptFilledVariablesDerivedSchema0;
    }
    export interface ReceiptFilledVariablesSchema0 {
      name: string;
      parts: readonly ReceiptFilledVariablesSchema0[];
    }
    export interface ReceiptFilledVariablesDerivedSchema0 {
      total: string;
      parts: readonly ReceiptFilledVariablesDerivedSchema0[] | null;
    }"
  `);
});
