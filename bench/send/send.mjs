// @ts-check
import { benchAttachments } from "./attachments.mjs";
import { benchFirstSend } from "./first-send.mjs";
import { benchOutbox } from "./outbox.mjs";
import { benchSends } from "./sends.mjs";

/** Measures the mailer. @param {{ readonly rounds: number, readonly note: (text: string) => void }} options */
export async function benchSend(options) {
  return [
    ...(await benchSends(options)),
    ...(await benchFirstSend(options)),
    ...(await benchOutbox(options)),
    ...(await benchAttachments(options)),
  ];
}
