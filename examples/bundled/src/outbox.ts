import { createMailer } from "lettershop/send";
import { templates } from "./templates.gen.js";

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

/** Queues the message on disk and sends everything that is due, as a scheduled job would. */
export async function handler(event: Event): Promise<Response> {
  const { email, name, order }: Shipment = JSON.parse(event.body);
  const mailer = createMailer({ templates, from: "orders", store: "data/mail.db" });
  const { id } = await mailer.queue(
    "order-shipped",
    { name, order },
    { to: email, key: `shipped-${order.number}-${email}` },
  );
  await mailer.work().idle();
  await mailer.close();
  return { statusCode: 202, body: JSON.stringify({ id }) };
}
