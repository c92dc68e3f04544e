import { createMailer, type Mailer } from "lettershop/send";
import { type TemplateVariables, templates } from "../templates.gen";

let mailer: Mailer<TemplateVariables> | undefined;

/** Creates the mailer with the first message: `next build` loads this module, too, and has no key. */
export function getMailer(): Mailer<TemplateVariables> {
  mailer ??= createMailer({ templates, from: "orders" });
  return mailer;
}
