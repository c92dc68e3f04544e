import { getOutbox } from "../../../lib/outbox";

interface Shipment {
  readonly email: string;
  readonly name: string;
  readonly order: { readonly number: string };
}

export async function POST(request: Request): Promise<Response> {
  const { email, name, order }: Shipment = await request.json();
  const { id } = await getOutbox().queue(
    "order-shipped",
    { name, order },
    { to: email, key: `shipped-${order.number}-${email}` },
  );
  return Response.json({ id }, { status: 202 });
}
