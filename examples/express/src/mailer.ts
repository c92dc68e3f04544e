import { createMailer } from "lettershop/send";
import { templates } from "./templates.gen.js";

/** One for the whole application. The file holds what is queued; the processes of a machine share it, and the pace. */
export const mailer = createMailer({ templates, from: "shop", store: process.env["MAIL_STORE"] ?? "data/mail.db" });
