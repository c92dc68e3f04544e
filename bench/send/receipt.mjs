// @ts-check

/** @typedef {{ readonly number: string, readonly customer: string, readonly total: string, readonly items: readonly { readonly name: string, readonly quantity: number, readonly price: number }[] }} Order */

/** @type {import("../../dist/mustache/variables.js").VariablesSchema} */
const item = {
  type: "object",
  properties: { name: { type: "string" }, quantity: { type: "number" }, price: { type: "number" } },
  required: ["name", "quantity", "price"],
};
/** @type {import("../../dist/mustache/variables.js").VariablesSchema} */
const order = {
  type: "object",
  properties: {
    number: { type: "string" },
    customer: { type: "string" },
    total: { type: "string" },
    items: { type: "array", items: item },
  },
  required: ["number", "customer", "total", "items"],
};

/**
 * A registry with a receipt, as written by `templates types`.
 *
 * @type {import("../../dist/project/registry-types.js").Registry<{ receipt: { readonly order: Order } }>}
 */
export const templates = {
  environments: {},
  templates: {
    receipt: {
      hash: "",
      subject: "Receipt {{{order.number}}}",
      contract: { input: { type: "object", properties: { order }, required: ["order"] }, conditions: [] },
    },
  },
};
