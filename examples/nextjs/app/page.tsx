import { getMailer } from "../lib/mailer";

async function sendShipped(form: FormData): Promise<void> {
  "use server";
  const { email, number } = Object.fromEntries(form);
  if (typeof email !== "string" || typeof number !== "string") throw new Error("The form is incomplete.");
  await getMailer().send("order-shipped", { name: "Ada", order: { number } }, { to: email });
}

export default function Page() {
  return (
    <form action={sendShipped}>
      <input name="email" type="email" aria-label="Email" required />
      <input name="number" aria-label="Order number" required />
      <button type="submit">Send</button>
    </form>
  );
}
