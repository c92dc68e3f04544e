import type { AcceptedEmail } from "../../api/contract/v4/emails.js";
import type { ServiceContext } from "../context.js";
import { newEventId, newLogId, newMessageId } from "../ids.js";
import { writeMailFiles } from "../mail/files.js";
import type { DomainRecord } from "../store/domains.js";
import type { Mailbox } from "../mailbox.js";
import type { LogEventRecord } from "../store/log-rows.js";
import { composeSource } from "./compose.js";
import type { OutboundMessage } from "./message.js";

/** What the log calls this service. */
const HOSTNAME = "localhost";

/** Takes the message as delivered: captures it and logs it, one entry for each recipient. */
export async function deliver(
  message: OutboundMessage,
  domain: DomainRecord,
  context: ServiceContext,
): Promise<AcceptedEmail> {
  const { store, clock, mailFolder } = context;
  const now = clock.now();
  const id = newLogId(now);
  const messageId = newMessageId(domain.name);
  const source = await composeSource(message, { messageId, date: new Date(now) });

  // Before the log knows of it, so that whoever reads of a mail finds its files.
  if (mailFolder !== undefined) {
    await writeMailFiles(mailFolder, id, { source, html: message.html, text: message.text });
  }
  store.transaction(() => {
    const mailSeq = store.mails.create(source);
    for (const [index, recipient] of recipientsOf(message).entries()) {
      store.logs.append(domain.id, mailSeq, {
        id: index === 0 ? id : newLogId(now),
        createdAt: now,
        hostname: HOSTNAME,
        messageId,
        subject: message.subject,
        transport: "api",
        sender: message.from,
        recipient,
        forward: null,
        events: deliveryEvents(now),
      });
    }
  });
  return { id, message_id: messageId };
}

/** Everyone once, in the order of to, cc and bcc: an address that is named twice gets one mail. */
function recipientsOf({ to, cc, bcc }: OutboundMessage): Mailbox[] {
  const byAddress = new Map<string, Mailbox>();
  for (const mailbox of [...to, ...cc, ...bcc]) {
    const key = mailbox.email.toLowerCase();
    if (!byAddress.has(key)) byAddress.set(key, mailbox);
  }
  return [...byAddress.values()];
}

function deliveryEvents(now: number): LogEventRecord[] {
  const event = { createdAt: now, code: 250, local: HOSTNAME, server: HOSTNAME };
  return [
    { ...event, id: newEventId(), status: "QUEUED", message: "2.0.0 Queued" },
    { ...event, id: newEventId(), status: "DELIVERED", message: "2.0.0 Captured: nothing leaves this machine" },
  ];
}
