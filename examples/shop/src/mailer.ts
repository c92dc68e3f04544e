import { createMailer } from "lettershop/send";
import { templates } from "./templates.gen.js";

export const mailer = createMailer({ templates, from: "shop" });
