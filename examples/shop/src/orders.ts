import type { Sent } from "lettershop/send";
import { mailer } from "./mailer.js";
import type { ReceiptVariables } from "./templates.gen.js";

/** The template takes the shop's own order: amounts in pence, which `derive` formats as money. */
export async function sendReceipt(order: ReceiptVariables["order"], email: string): Promise<Sent> {
  return mailer.send("receipt", { order }, { to: email });
}
