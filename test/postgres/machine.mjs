/*
 * A machine of an application, for tests that kill it: `node machine.mjs OPTIONS`, with the mailer's options as JSON,
 * `connectionString` of its store, `first` (the number of the first key) and `aheadMs`, by which all its clocks are
 * ahead. It prints each durable key on a line.
 */
const { connectionString, first, aheadMs, ...options } = JSON.parse(process.argv[2] ?? "");

const [wall, monotonic] = [Date.now.bind(Date), process.hrtime.bigint.bind(process.hrtime)];
Date.now = () => wall() + aheadMs;
process.hrtime.bigint = () => monotonic() + BigInt(aheadMs) * 1_000_000n;

const { createMailer } = await import("../../dist/send/index.js");
const { postgresStore } = await import("../../dist/postgres/index.js");

const mailer = createMailer({ ...options, store: postgresStore({ connectionString }) });
mailer.work();

for (let number = first; ; number += 1) {
  const key = `key-${number}`;
  const message = {
    to: "ada@example.com",
    subject: key,
    text: key,
    key,
    ...(number % 3 === 0 ? { priority: "high" } : {}),
    ...(number % 10 === 0 ? { expiresAfter: 5_000 } : {}),
  };
  mailer.queueMessage(message).then(
    () => process.stdout.write(`${key}\n`),
    (error) => error.code === "store" || process.stderr.write(`${error.stack}\n`),
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
}
