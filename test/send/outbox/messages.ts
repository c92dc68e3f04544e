import type { NewMessage } from "../../../src/send/store/outbox.js";

let last = 0;

/** A message in the form in which it is added to a store. */
export function aMessage(differences: Partial<NewMessage> = {}): NewMessage {
  last += 1;
  return {
    id: `message-${last}`,
    target: "https://api.example.com example.com",
    priority: "normal",
    onUnknown: "park",
    recipients: ["ada@example.com"],
    email: { from: "shop", to: "ada@example.com", subject: "Hi", text: "Hi" },
    ...differences,
  };
}
