import { Router } from "express";
import { mailer } from "./mailer.js";
import type { ReceiptVariables } from "./templates.gen.js";

interface NewOrder {
  readonly order: ReceiptVariables["order"];
  readonly email: string;
}

export const orders = Router();

/** Queued, so that the customer does not wait for the receipt. Because of the key, an order posted twice has one receipt. */
orders.post("/orders", async (request, response) => {
  const { order, email }: NewOrder = request.body;
  const { id, duplicate } = await mailer.queue("receipt", { order }, { to: email, key: `receipt-${order.number}` });
  response.status(duplicate ? 200 : 201).json({ number: order.number, receipt: id });
});
