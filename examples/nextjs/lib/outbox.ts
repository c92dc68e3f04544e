import { createMailer, type Mailer } from "lettershop/send";
import { type TemplateVariables, templates } from "../templates.gen";

let outbox: Mailer<TemplateVariables> | undefined;

/** Creates a mailer with a store and starts the worker that sends its queued messages. */
export function getOutbox(): Mailer<TemplateVariables> {
  if (outbox === undefined) {
    outbox = createMailer({ templates, from: "orders", store: process.env["MAIL_STORE"] ?? "data/mail.db" });
    outbox.work();
  }
  return outbox;
}
