import { sendPasswordReset } from "./accounts.js";
import { mailer } from "./mailer.js";
import { sendReceipt } from "./orders.js";

const ada = { name: "Ada", email: "ada@okafor.example" };

const receipt = await sendReceipt(
  {
    number: "FH-10482",
    url: "https://fernhill.example/orders/FH-10482",
    placedAt: new Date().toISOString(),
    customerName: ada.name,
    billedTo: ["Ada Okafor", "3 Canal Street", "Leeds LS1 0AA"],
    paidWith: "Visa ending in 4242",
    currency: "GBP",
    items: [
      { name: "Studio plan", quantity: 4, unitPrice: 1200 },
      { name: "Onboarding session", quantity: 1, unitPrice: 9000 },
    ],
    tax: { label: "VAT 20%", amount: 2760 },
  },
  ada.email,
);
console.log(`receipt         id ${receipt.id}  message id ${receipt.messageId}`);

const reset = await sendPasswordReset(ada, { at: new Date(), device: "Firefox on Linux" });
console.log(`password reset  id ${reset.id}  message id ${reset.messageId}`);

await mailer.close();
