/*
 * An application's process that queues and works, for a test that kills it:
 * `node queue-and-work.mjs OPTIONS FIRST`, with the mailer's options as JSON. It prints each durable key on a line.
 */
import { createMailer } from "../../../dist/send/index.js";

const [options = "", first = "0"] = process.argv.slice(2);
const mailer = createMailer(JSON.parse(options));
mailer.work();

for (let number = Number(first); ; number += 1) {
  const key = `key-${number}`;
  const message = {
    to: "ada@example.com",
    subject: key,
    text: key,
    key,
    ...(number % 3 === 0 ? { priority: "high" } : {}),
    ...(number % 10 === 0 ? { expiresAfter: 400 } : {}),
  };
  mailer.queueMessage(message).then(
    () => process.stdout.write(`${key}\n`),
    (error) => process.stderr.write(`${error.stack}\n`),
  );
  await new Promise((resolve) => setTimeout(resolve, 15));
}
