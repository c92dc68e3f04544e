import type { LogStatus } from "../api/contract/v4/logs.js";
import { emailOf } from "../send/parcel.js";
import type { DeliveryLog, LoggedMail, LogWindow } from "../send/delivery/delivery-log.js";
import { checkValue } from "./check-value.js";
import type { RecordedMessage } from "./recorded-mail.js";

/** How a receiving server may refuse an email. */
export type BounceStatus = Exclude<LogStatus, "QUEUED" | "DELIVERED">;

const REPLIES: Readonly<Record<LogStatus, readonly [code: number, message: string]>> = {
  QUEUED: [250, "2.0.0 Queued"],
  DELIVERED: [250, "2.0.0 Delivered"],
  "SOFT-BOUNCE": [451, "4.2.2 Mailbox full"],
  "HARD-BOUNCE": [550, "5.1.1 User unknown"],
  BOUNCED: [554, "5.0.0 Delivery failed"],
  REFUSED: [554, "5.7.1 Connection refused by policy"],
};

const BOUNCES = Object.keys(REPLIES).filter((status) => status !== "QUEUED" && status !== "DELIVERED");

/** The delivery log of a test's mailer: everything is delivered, unless a test says otherwise. */
export class RecordingLog implements DeliveryLog {
  #mails: LoggedMail[] = [];
  /** By address in lower case. */
  readonly #outcomes = new Map<string, BounceStatus>();

  /** @throws {ConfigurationError} There is no such bounce. */
  letBounce(email: string, status: BounceStatus = "HARD-BOUNCE"): void {
    checkValue("letBounce", "email", email, typeof email === "string", "an email address");
    checkValue("letBounce", "status", status, BOUNCES.includes(status), `one of ${BOUNCES.join(", ")}`);
    this.#outcomes.set(email.toLowerCase(), status);
  }

  /** Adds an entry for each recipient; the first one has the message's id. */
  append({ id, messageId, from, to, cc, bcc, subject }: RecordedMessage, at: number): void {
    const recipients = [...new Set([...to, ...cc, ...bcc].map(emailOf))];
    const entries = recipients.map((recipient, index): LoggedMail => {
      const statuses: LogStatus[] = ["QUEUED", this.#outcomes.get(recipient.toLowerCase()) ?? "DELIVERED"];
      const server = recipient.slice(recipient.lastIndexOf("@") + 1);
      const entryId = index === 0 ? id : `${id}.${index + 1}`;
      const events = statuses.map((status) => {
        const [code, message] = REPLIES[status];
        return { id: `${entryId}.${status}`, at, status, code, message, server };
      });
      return { id: entryId, messageId, sender: from, recipient, subject, transport: "api", at, events };
    });
    this.#mails.push(...entries);
  }

  clear(): void {
    this.#mails = [];
    this.#outcomes.clear();
  }

  async get(id: string): Promise<LoggedMail | undefined> {
    return this.#mails.find((mail) => mail.id === id);
  }

  async *within({ from, until, sender, recipient, states }: LogWindow): AsyncGenerator<LoggedMail> {
    yield* this.#mails.filter(
      (mail) =>
        (from === undefined || mail.at >= from) &&
        (until === undefined || mail.at <= until) &&
        (sender === undefined || mail.sender === sender) &&
        (recipient === undefined || mail.recipient.toLowerCase() === recipient.toLowerCase()) &&
        (states === undefined || mail.events.some(({ status }) => states.includes(status))),
    );
  }

  async *newest(): AsyncGenerator<LoggedMail> {
    yield* this.#mails.toReversed();
  }

  async latest(): Promise<number | undefined> {
    return this.#mails.at(-1)?.at;
  }
}
