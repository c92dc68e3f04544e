import { InvalidMessageError, SendError } from "lettershop/send";
import { getMailer } from "../../../lib/mailer";

interface Shipment {
  readonly email: string;
  readonly name: string;
  readonly order: { readonly number: string };
}

export async function POST(request: Request): Promise<Response> {
  const { email, name, order }: Shipment = await request.json();
  try {
    const { id } = await getMailer().send("order-shipped", { name, order }, { to: email });
    return Response.json({ id }, { status: 202 });
  } catch (error) {
    if (error instanceof InvalidMessageError) return Response.json({ error: error.code }, { status: 400 });
    if (error instanceof SendError) return Response.json({ error: error.code }, { status: 503 });
    throw error;
  }
}
