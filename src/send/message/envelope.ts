import type { Clock } from "../clock.js";
import { emailOf, type Parcel } from "../parcel.js";
import type { Problem } from "../errors.js";
import type { Publish } from "../events.js";
import { type Address, mailboxOf, readAddress, readAddresses, readFrom } from "./addresses.js";
import { isTimeout } from "./handling.js";
import type { Envelope, PassedOptions } from "./options.js";
import type { Recipients, RecipientsPolicy } from "./recipients.js";
import type { ReportProblem } from "../report.js";

/** A recipient's address and the option it came from. */
export interface CheckedRecipient {
  /** Such as `to[1]`. */
  readonly path: string;
  readonly email: string;
}

/** Who messages come from, and who may get them. */
export interface Sender {
  /** The environment's domain. */
  readonly domain: string;
  readonly from?: string | undefined;
  /** Set if the environment restricts recipients. */
  readonly recipients?: RecipientsPolicy | undefined;
  /** Checks all recipients of a message at once, for suppressed addresses. */
  readonly check?: ((recipients: readonly CheckedRecipient[]) => Promise<readonly Problem[]>) | undefined;
}

interface EnvelopeOptions {
  readonly sender: Sender;
  readonly report: ReportProblem;
  readonly publish: Publish;
  readonly clock: Pick<Clock, "after">;
  /** Milliseconds for reading attachments, unless the message sets its own. */
  readonly timeoutMs: number;
}

/** The fields that messages have with and without a template. */
export async function readEnvelope(
  options: PassedOptions,
  { sender, report, publish, clock, timeoutMs }: EnvelopeOptions,
): Promise<Parcel["email"]> {
  const { signal } = options;
  // Each part's own check verifies its type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { to, cc, bcc, replyTo, from = sender.from, attachments } = options as Partial<Envelope>;
  if (to === undefined || (Array.isArray(to) && to.length === 0))
    report("to", "is missing: a message has at least one recipient");
  const localPart = readFrom(from, sender.domain, report);
  const replyAddress = replyTo === undefined ? undefined : readAddress(replyTo, "replyTo", report);

  const recipients: CheckedRecipient[] = [];
  const read = (value: Address | readonly Address[] | undefined, field: string): string[] =>
    value === undefined
      ? []
      : readAddresses(value, field, report, (address, path) => {
          sender.recipients?.check(address, path, report);
          recipients.push({ path, email: emailOf(address) });
        });
  const fields = withoutDuplicates({ to: read(to, "to"), cc: read(cc, "cc"), bcc: read(bcc, "bcc") });
  if (sender.check !== undefined && recipients.length > 0)
    for (const { path, message } of await sender.check(recipients)) report(path, message);

  const files = async (): Promise<NonNullable<Parcel["email"]["attachments"]>> => {
    const { readAttachments } = await import("../attachments/attachments.js");
    return readAttachments(attachments, {
      report,
      publish,
      clock,
      timeoutMs: isTimeout(options.timeoutMs) ? options.timeoutMs : timeoutMs,
      signal: signal instanceof AbortSignal ? signal : undefined,
    });
  };
  return {
    from: localPart ?? "",
    ...(sender.recipients === undefined ? fields : sender.recipients.redirect(fields)),
    ...(replyAddress === undefined ? {} : { reply_to: replyAddress }),
    ...(attachments !== undefined && { attachments: await files() }),
  };
}

/**
 * A recipient named twice gets one email: each address stays in the first field that has it, so that `to` and `cc` go
 * before `bcc`.
 */
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
