import { z } from "zod";
import type { Registry, RegistryEntry } from "../../src/project/registry-types.js";
import { variablesSchemaOf } from "../../src/project/variables-task.js";

const receiptSchema = z.object({
  order: z.object({ number: z.string(), total: z.number(), note: z.string().optional() }),
});
const plainSchema = z.object({ name: z.string() });

export interface TemplateVariables {
  receipt: z.input<typeof receiptSchema>;
  "no-subject": z.input<typeof plainSchema>;
}

function entryOf(schema: z.ZodObject, subject: string, derive?: RegistryEntry["derive"]): RegistryEntry {
  const derived =
    derive && ({ type: "object", properties: { total: { type: "string" } }, required: ["total"] } as const);
  const contract = { input: variablesSchemaOf(schema), ...(derived && { derived }), conditions: [] };
  return { hash: "", subject, contract, schema, ...(derive === undefined ? {} : { derive }) };
}

/** A registry as `templates types` writes it, with a test's environments. */
export function registryOf(
  environments: Registry["environments"] = {},
  defaultEnvironment?: string,
): Registry<TemplateVariables> {
  const total = ({ order }: z.output<typeof receiptSchema>, { locale }: { locale: string }) => ({
    total: new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).format(order.total),
  });
  return {
    environments,
    ...(defaultEnvironment === undefined ? {} : { defaultEnvironment }),
    templates: {
      receipt: entryOf(receiptSchema, "Order {{{order.number}}}", total),
      "no-subject": entryOf(plainSchema, ""),
    },
  };
}
