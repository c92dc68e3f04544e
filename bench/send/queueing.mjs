// @ts-check
/*
 * A process that queues messages, 100 concurrently: `node queueing.mjs FILE COUNT`.
 */
import { createMailer } from "../../dist/send/index.js";

/** Messages queued concurrently, as in a busy application. */
export const AT_ONCE = 100;

/** @param {number} number */
export function messageOf(number) {
  return {
    to: `customer-${number}@example.test`,
    subject: `Receipt ${number}`,
    text: `Thank you for order ${number}. `.repeat(40),
    key: `order:${number}`,
  };
}

/**
 * A mailer without a worker.
 *
 * @param {string | import("../../dist/send/store/store.js").MailStore} store
 */
export function mailerOf(store) {
  return createMailer({
    url: "http://127.0.0.1:9",
    domain: "example.test",
    apiKey: "bench",
    from: "shop",
    store,
  });
}

/**
 * Calls `queue` for each number from `first`, `AT_ONCE` concurrently.
 *
 * @param {number} first
 * @param {number} count
 * @param {(number: number) => Promise<unknown>} queue
 */
export async function queueAll(first, count, queue) {
  for (let number = first; number < first + count; number += AT_ONCE) {
    const size = Math.min(AT_ONCE, first + count - number);
    await Promise.all(Array.from({ length: size }, (_, index) => queue(number + index)));
  }
}

const [file, count] = process.argv.slice(2);
if (import.meta.url === `file://${process.argv[1]}` && file !== undefined) {
  const mailer = mailerOf(file);
  await queueAll(0, Number(count), (number) => mailer.queueMessage(messageOf(number)));
  await mailer.close();
}
