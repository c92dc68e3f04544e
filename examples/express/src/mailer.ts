import { postgresStore } from "lettershop/postgres";
import { createMailer } from "lettershop/send";
import { templates } from "./templates.gen.js";

const { DATABASE_URL, MAIL_STORE = "data/mail.db" } = process.env;

/** What holds the queue and the rate limit: a database that all servers share, or a file that the processes of one share. */
const store = DATABASE_URL === undefined ? MAIL_STORE : postgresStore({ connectionString: DATABASE_URL });

/** One mailer for the whole application. */
export const mailer = createMailer({ templates, from: "shop", store });
