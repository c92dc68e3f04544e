/*
 * An application's process that queues and works by SMTP, for a test that kills it:
 * `node queue-and-work.mjs OPTIONS SERVER FIRST`, with the mailer's options and the server as JSON. It prints each
 * durable key on a line.
 */
import { createMailer } from "../../dist/send/index.js";
import { smtp } from "../../dist/smtp/index.js";

const [options = "", server = "", first = "0"] = process.argv.slice(2);
const mailer = createMailer({ ...JSON.parse(options), transport: smtp(JSON.parse(server)) });
mailer.work();

for (let number = Number(first); ; number += 1) {
  const key = `key-${number}`;
  mailer.queueMessage({ to: "ada@example.com", subject: key, text: key, key }).then(
    () => process.stdout.write(`${key}\n`),
    (error) => process.stderr.write(`${error.stack}\n`),
  );
  await new Promise((resolve) => setTimeout(resolve, 15));
}
