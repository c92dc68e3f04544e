import { z } from "zod";
import { formatDate, formatMoney, type Place } from "../_shared/format.js";

const amount = z.int().nonnegative();

const receipt = z.object({
  order: z.object({
    number: z.string().describe("The order's number as the customer knows it."),
    url: z.url({ protocol: /^https?$/ }).describe("The order's page in the customer's account."),
    placedAt: z.iso.datetime({ offset: true }).describe("When the order was placed."),
    customerName: z.string().describe("How to address the customer."),
    billedTo: z.array(z.string()).min(1).describe("Name and address on the invoice, line by line."),
    paidWith: z.string().describe("The payment method in words, such as: Visa ending in 4242."),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .describe("ISO 4217 code. Every amount is a whole number of its smallest unit: cents, pence, yen."),
    items: z
      .array(
        z.object({
          name: z.string(),
          quantity: z.int().positive(),
          unitPrice: amount.describe("Price of one, before discount and tax."),
        }),
      )
      .min(1),
    discount: z
      .object({
        label: z.string().describe("Such as: Spring sale, 10% off."),
        amount: amount.describe("What is taken off the subtotal."),
      })
      .optional()
      .describe("Left out where there is none."),
    tax: z
      .object({
        label: z.string().describe("Such as: VAT 20%."),
        amount: amount.describe("What is added after the discount."),
      })
      .optional()
      .describe("Left out where none is charged."),
  }),
});

export default receipt;

export function derive({ order }: z.infer<typeof receipt>, { locale, timeZone }: Place) {
  const money = (minorUnits: number) => formatMoney(minorUnits, order.currency, locale);
  const subtotal = order.items.reduce((sum, item) => sum + item.quantity * item.unitPrice, 0);
  const { discount, tax } = order;

  return {
    placedOn: formatDate(order.placedAt, { locale, timeZone }),
    lines: order.items.map((item) => ({
      name: item.name,
      quantity: item.quantity,
      unitPrice: money(item.unitPrice),
      amount: money(item.quantity * item.unitPrice),
    })),
    totals: {
      subtotal: money(subtotal),
      discount: discount ? { label: discount.label, amount: money(-discount.amount) } : null,
      tax: tax ? { label: tax.label, amount: money(tax.amount) } : null,
      total: money(subtotal - (discount?.amount ?? 0) + (tax?.amount ?? 0)),
    },
  };
}
