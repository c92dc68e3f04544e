// @ts-check
import { z } from "zod";

const schema = z.object({
  order: z.object({
    number: z.string(),
    customer: z.string(),
    items: z.array(z.object({ name: z.string(), quantity: z.int(), price: z.number() })),
  }),
});

/** @type {import("../../dist/mustache/variables.js").VariablesSchema} */
const item = {
  type: "object",
  properties: { name: { type: "string" }, quantity: { type: "integer" }, price: { type: "number" } },
  required: ["name", "quantity", "price"],
};
/** @type {import("../../dist/mustache/variables.js").VariablesSchema} */
const order = {
  type: "object",
  properties: { number: { type: "string" }, customer: { type: "string" }, items: { type: "array", items: item } },
  required: ["number", "customer", "items"],
};

/**
 * A registry as `templates types` writes it, with a receipt.
 *
 * @type {import("../../dist/template/registry.js").Registry<{ receipt: import("zod").input<typeof schema> }>}
 */
export const templates = {
  environments: {},
  templates: {
    receipt: {
      hash: "",
      subject: "Receipt {{{order.number}}}",
      contract: {
        input: { type: "object", properties: { order }, required: ["order"] },
        derived: { type: "object", properties: { total: { type: "string" } }, required: ["total"] },
        conditions: [],
      },
      schema,
      derive: (/** @type {import("zod").output<typeof schema>} */ variables) => ({
        total: variables.order.items.reduce((sum, { quantity, price }) => sum + quantity * price, 0).toFixed(2),
      }),
    },
  },
};
