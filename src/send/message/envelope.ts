import type { Clock } from "../clock.js";
import type { Parcel } from "../delivery/parcel.js";
import type { Problem } from "../errors.js";
import type { Publish } from "../events/events.js";
import { type Address, emailOf, mailboxOf, readAddress, readAddresses, readFrom } from "./addresses.js";
import { isTimeout } from "./handling.js";
import type { Envelope } from "./options.js";
import type { Given } from "./read-options.js";
import type { Recipients, RecipientsPolicy } from "./recipients.js";
import type { Report } from "./report.js";

/** An address that a message is to go to, and where it was given. */
export interface Recipient {
  /** `to[1]`. */
  readonly path: string;
  readonly email: string;
}

/** Whom messages come from, and who may get them. */
export interface Sender {
  /** The environment's domain. */
  readonly domain: string;
  readonly from?: string | undefined;
  /** Where the environment says who may get mail. */
  readonly recipients?: RecipientsPolicy | undefined;
  /** Looks at all recipients of a message at once: whether one of them is suppressed. */
  readonly check?: ((recipients: readonly Recipient[]) => Promise<readonly Problem[]>) | undefined;
}

interface EnvelopeOptions {
  readonly sender: Sender;
  readonly report: Report;
  readonly publish: Publish;
  readonly clock: Pick<Clock, "after">;
  /** Milliseconds for attachments to be read, where the message does not say. */
  readonly timeoutMs: number;
}

/** The fields that a message has with a template or without. */
export async function readEnvelope(
  given: Given,
  { sender, report, publish, clock, timeoutMs }: EnvelopeOptions,
): Promise<Parcel["email"]> {
  const { signal } = given;
  // What each part is, its own check says: none trusts the types.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { to, cc, bcc, replyTo, from = sender.from, attachments } = given as Partial<Envelope>;
  if (to === undefined || (Array.isArray(to) && to.length === 0))
    report("to", "is missing: a message has at least one recipient");
  const localPart = readFrom(from, sender.domain, report);
  const replyAddress = replyTo === undefined ? undefined : readAddress(replyTo, "replyTo", report);

  const found: Recipient[] = [];
  const read = (value: Address | readonly Address[] | undefined, field: string): string[] =>
    value === undefined
      ? []
      : readAddresses(value, field, report, (address, path) => {
          sender.recipients?.check(address, path, report);
          found.push({ path, email: emailOf(address) });
        });
  const meant = withoutDuplicates({ to: read(to, "to"), cc: read(cc, "cc"), bcc: read(bcc, "bcc") });
  if (sender.check !== undefined && found.length > 0)
    for (const { path, message } of await sender.check(found)) report(path, message);

  const files = async (): Promise<NonNullable<Parcel["email"]["attachments"]>> => {
    const { readAttachments } = await import("../attachments/attachments.js");
    return readAttachments(attachments, {
      report,
      publish,
      clock,
      timeoutMs: isTimeout(given.timeoutMs) ? given.timeoutMs : timeoutMs,
      signal: signal instanceof AbortSignal ? signal : undefined,
    });
  };
  return {
    from: localPart ?? "",
    ...(sender.recipients === undefined ? meant : sender.recipients.redirect(meant)),
    ...(replyAddress === undefined ? {} : { reply_to: replyAddress }),
    ...(attachments !== undefined && { attachments: await files() }),
  };
}

/** Whoever is named twice gets one mail, where the others see it: each address stays in the first field that has it. */
function withoutDuplicates(fields: Required<Recipients>): Recipients {
  const seen = new Set<string>();
  const first = (addresses: readonly string[]): string[] =>
    addresses.filter((address) => {
      const mailbox = mailboxOf(emailOf(address));
      return !seen.has(mailbox) && seen.add(mailbox);
    });
  const [to, cc, bcc] = [first(fields.to), first(fields.cc), first(fields.bcc)];
  return { to, ...(cc.length > 0 && { cc }), ...(bcc.length > 0 && { bcc }) };
}
