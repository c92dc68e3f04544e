import { createMailer, type Mailer } from "lettershop/send";
import { type TemplateVariables, templates } from "../templates.gen";

let mailer: Mailer<TemplateVariables> | undefined;

/** Creates the mailer on first use, because `next build` also loads this module and has no key. */
export function getMailer(): Mailer<TemplateVariables> {
  mailer ??= createMailer({ templates, from: "orders" });
  return mailer;
}
