import { z } from "zod";

const receipt = z.object({
  order: z.object({
    number: z.string(),
    customerName: z.string(),
    items: z.array(
      z.object({ name: z.string(), quantity: z.int().positive(), unitPrice: z.int().describe("In cents.") }),
    ),
  }),
});

export default receipt;

export function derive({ order }: z.infer<typeof receipt>, { locale }: { locale: string }) {
  const cents = order.items.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0);
  return { total: new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).format(cents / 100) };
}
