// @ts-check

/** A template with bodies of a receipt's size. */
export const template = {
  name: "receipt",
  description: "The items of an order",
  subject: "Receipt {{order.number}}",
  html_body: `<table>${"<tr><td>{{order.number}}</td><td>{{order.total}}</td></tr>".repeat(150)}</table>`,
  text_body: "{{{order.number}}}: {{{order.total}}}\n".repeat(60),
  created_at: "2026-08-12T09:30:00Z",
  updated_at: "2026-08-12T09:30:00Z",
};

export const email = {
  from: "receipts",
  to: "ada@example.com",
  subject: "Receipt A-1042",
  text: "Tea, 4.00\n".repeat(40),
  html: `<p>${"Tea, 4.00<br>".repeat(150)}</p>`,
};

export const accepted = { id: "1786527000123.4f2a9c", message_id: "<4f2a9c@example.test>" };
