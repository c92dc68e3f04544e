import type { AcceptedEmail } from "../../api/contract/v4/emails.js";
import { countSends, requirePaidPlan } from "../account.js";
import { forbidden } from "../http/api-error.js";
import type { ServiceContext } from "../context.js";
import { HOSTNAME, outcomeOf } from "../delivery/deliveries.js";
import { newLogId, newMessageId } from "../ids.js";
import type { Mailbox } from "../store/log-rows.js";
import type { AccountRecord } from "../store/accounts.js";
import type { DomainRecord } from "../store/domains.js";
import { writeDraft } from "./draft.js";
import { type TemplateUse, type OutboundMessage, readMessage } from "./message.js";

/**
 * Accepts an email, as in version 4's request: logs one entry per recipient and starts its delivery. Each recipient
 * counts against the plan's send limits.
 *
 * @throws ApiError: 403 for a free plan, for a domain that is banned or not set up, and over a send limit; otherwise as
 * `readMessage`.
 */
export async function sendEmail(
  context: ServiceContext,
  account: AccountRecord,
  domain: DomainRecord,
  readBody: () => Promise<Record<string, unknown>>,
): Promise<AcceptedEmail> {
  requirePaidPlan(account);
  if (domain.banned) throw forbidden("The domain is banned and can't send.");
  if (!domain.sendReady) throw forbidden("The domain's DNS is not configured for sending.");
  const { store, settings } = context;
  const { message, madeFrom } = readMessage(await readBody(), {
    name: domain.name,
    dialect: settings.get().mustache,
    findTemplate: (name) => store.templates.find(domain.id, name),
  });
  return await accept(message, madeFrom, domain, account, context);
}

async function accept(
  message: OutboundMessage,
  madeFrom: TemplateUse | undefined,
  domain: DomainRecord,
  account: AccountRecord,
  context: ServiceContext,
): Promise<AcceptedEmail> {
  const { store, clock, settings, deliveries, webhooks, filing } = context;
  const { outcomes } = settings.get();
  const now = clock.now();
  const id = newLogId(now);
  const messageId = newMessageId(domain.name);
  const recipients = recipientsOf(message);

  await store.write(() => {
    countSends(context, account, recipients.length);
    const draft = writeDraft({ id, messageId, sentAt: now, message });
    const template = madeFrom === undefined ? null : JSON.stringify(madeFrom);
    const files = message.attachments.filter(({ contentId }) => contentId === undefined);
    const mailSeq = store.mails.createDraft(draft, template, files.length);
    for (const [index, recipient] of recipients.entries()) {
      const entry = {
        id: index === 0 ? id : newLogId(now),
        createdAt: now,
        hostname: HOSTNAME,
        messageId,
        subject: message.subject,
        transport: "api",
        sender: message.from,
        recipient,
        forward: null,
      } as const;
      deliveries.accept(domain.id, mailSeq, entry, outcomeOf(recipient.email, outcomes));
    }
  });
  webhooks.wake();
  filing.wake();
  return { id, message_id: messageId };
}

/** All recipients in the order of to, cc and bcc. An address that appears twice gets one email. */
function recipientsOf({ to, cc, bcc }: OutboundMessage): Mailbox[] {
  const byAddress = new Map<string, Mailbox>();
  for (const mailbox of [...to, ...cc, ...bcc]) {
    const key = mailbox.email.toLowerCase();
    if (!byAddress.has(key)) byAddress.set(key, mailbox);
  }
  return [...byAddress.values()];
}
