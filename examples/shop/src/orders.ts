import type { Sent } from "lettershop/send";
import { mailer } from "./mailer.js";
import type { ReceiptVariables } from "./templates.gen.js";

/** What the shop knows of an order is what the template takes: amounts in pence, which `derive` turns into money. */
export async function sendReceipt(order: ReceiptVariables["order"], email: string): Promise<Sent> {
  return mailer.send("receipt", { order }, { to: email });
}
