import { z } from "zod";
import { formatDate, formatMoney, type Place } from "../_shared/format.js";

const paymentFailed = z.object({
  customerName: z.string().describe("How to address the customer."),
  plan: z.string().describe("The subscription in words, such as: Studio plan, monthly."),
  payment: z.object({
    amount: z.int().positive().describe("In the currency's smallest unit: cents, pence, yen."),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .describe("ISO 4217 code."),
    method: z.string().describe("The payment method in words, such as: Visa ending in 4242."),
    attemptedAt: z.iso.datetime({ offset: true }).describe("When it was declined."),
    reason: z
      .string()
      .describe("Why it was declined, as a whole sentence that the customer understands: The card has expired."),
  }),
  nextAttemptAt: z.iso.datetime({ offset: true }).optional().describe("Left out after the last attempt."),
  accessEndsAt: z.iso.datetime({ offset: true }).describe("When the plan ends if nothing is paid."),
  updateUrl: z.url({ protocol: /^https?$/ }).describe("Where the customer changes the payment method."),
});

export default paymentFailed;

export function derive({ payment, nextAttemptAt, accessEndsAt }: z.infer<typeof paymentFailed>, place: Place) {
  return {
    amount: formatMoney(payment.amount, payment.currency, place.locale),
    attemptedOn: formatDate(payment.attemptedAt, place),
    nextAttempt: nextAttemptAt === undefined ? null : { on: formatDate(nextAttemptAt, place) },
    accessEndsOn: formatDate(accessEndsAt, place),
  };
}
