import { createMailer } from "lettershop/send";
import { templates } from "./templates.gen.js";

/** One mailer for the whole application. The processes on a machine share this file: its queue and its rate limit. */
export const mailer = createMailer({ templates, from: "shop", store: process.env["MAIL_STORE"] ?? "data/mail.db" });
