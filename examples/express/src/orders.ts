import { Router } from "express";
import { mailer } from "./mailer.js";
import type { ReceiptVariables } from "./templates.gen.js";

interface NewOrder {
  readonly order: ReceiptVariables["order"];
  readonly email: string;
}

export const orders = Router();

/** The customer need not wait for the receipt. With the key, an order that is posted twice has one receipt. */
orders.post("/orders", async (request, response) => {
  const { order, email }: NewOrder = request.body;
  const { id, duplicate } = await mailer.queue("receipt", { order }, { to: email, key: `receipt-${order.number}` });
  response.status(duplicate ? 200 : 201).json({ number: order.number, receipt: id });
});
