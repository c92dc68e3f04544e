import { createMailer, InvalidMessageError, SendError } from "lettershop/send";
import { templates } from "./templates.gen.js";

const mailer = createMailer({ templates, from: "orders", maxWait: 3_000 });

interface Event {
  readonly body: string;
}

interface Shipment {
  readonly email: string;
  readonly name: string;
  readonly order: { readonly number: string };
}

interface Response {
  readonly statusCode: number;
  readonly body: string;
}

/** Notifies a customer that an order has been shipped. An AWS Lambda function behind an HTTP endpoint. */
export async function handler(event: Event): Promise<Response> {
  const { email, name, order }: Shipment = JSON.parse(event.body);
  try {
    const { id } = await mailer.send("order-shipped", { name, order }, { to: email });
    return respond(202, { id });
  } catch (error) {
    if (error instanceof InvalidMessageError) return respond(400, { error: error.code });
    if (error instanceof SendError) return respond(503, { error: error.code });
    throw error;
  }
}

function respond(statusCode: number, body: object): Response {
  return { statusCode, body: JSON.stringify(body) };
}
