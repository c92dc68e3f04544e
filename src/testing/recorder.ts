import type { OutboundEmail } from "../api/resources/v4/emails.js";
import type { Environment } from "../config/environment.js";
import type { Clock } from "../send/clock.js";
import type { Parcel, Sent } from "../send/delivery/parcel.js";
import { fillMessage } from "../send/message/fill-message.js";
import type { Added, NewMessage } from "../send/outbox/store.js";
import type { RegistryEntry } from "../template/registry.js";
import { MemoryOutbox } from "./memory-outbox.js";
import { type AnyMail, type Content, type Made, recordedMail } from "./recorded-mail.js";
import { RecordingLog } from "./recording-log.js";

export interface RecorderOptions {
  readonly environment: Pick<Environment, "domain">;
  readonly templates: Readonly<Record<string, RegistryEntry>>;
  readonly clock: Clock;
}

/** Records what a test's mailer sends, from the call to the delivery log. */
export class Recorder {
  readonly sent: AnyMail[] = [];
  readonly log = new RecordingLog();
  readonly outbox: RecordingOutbox;
  readonly #domain: string;
  readonly #clock: Clock;
  readonly #templates: ReadonlyMap<string, RegistryEntry>;
  /** By the parcel's id. */
  readonly #made = new Map<string, Made>();
  readonly #mails = new Map<string, AnyMail>();
  #count = 0;

  constructor({ environment, templates, clock }: RecorderOptions) {
    this.#domain = environment.domain;
    this.#clock = clock;
    this.#templates = new Map(Object.entries(templates));
    this.outbox = new RecordingOutbox((message) => this.#record(message));
  }

  /** Notes what the application passed. */
  note(id: string, made: Made): void {
    this.#made.set(id, made);
  }

  /** Records a message instead of sending it. */
  async send(parcel: Parcel): Promise<Sent> {
    const mail = await this.#record(parcel);
    this.sent.push(mail);
    this.log.append(mail, this.#clock.time());
    return { outcome: "accepted", id: mail.id, messageId: mail.messageId };
  }

  get queued(): readonly AnyMail[] {
    return this.outbox.waiting.flatMap((id) => this.#mails.get(id) ?? []);
  }

  clear(): void {
    this.sent.splice(0);
    this.#mails.clear();
    this.#made.clear();
    this.outbox.clear();
    this.log.clear();
  }

  /** Returns the record of a message: the same object while queued and once sent. */
  async #record({ id, email, priority }: Pick<Parcel, "id" | "email" | "priority">): Promise<AnyMail> {
    const made = this.#made.get(id) ?? {};
    const content = await this.#contentOf(email, made);
    const existing = this.#mails.get(id);
    if (existing !== undefined) return existing;
    this.#count += 1;
    const mailId = `test.${this.#count}`;
    const sent: Sent = { outcome: "accepted", id: mailId, messageId: `<${mailId}@${this.#domain}>` };
    const mail = recordedMail({ email, sent, domain: this.#domain, priority, made, content });
    this.#mails.set(id, mail);
    return mail;
  }

  async #contentOf(email: OutboundEmail, { template }: Made): Promise<Content> {
    const entry = template === undefined ? undefined : this.#templates.get(template);
    if (email.template === undefined || entry === undefined)
      return { subject: email.subject ?? "", html: email.html, text: email.text };
    return fillMessage(entry, { ...email.variables }, { subject: email.subject });
  }
}

/** Records messages as soon as they are queued. */
class RecordingOutbox extends MemoryOutbox {
  readonly #record;

  constructor(record: (message: NewMessage) => Promise<unknown>) {
    super();
    this.#record = record;
  }

  override async add(message: NewMessage): Promise<Added> {
    const added = await super.add(message);
    if (added.added) await this.#record(message);
    return added;
  }
}
