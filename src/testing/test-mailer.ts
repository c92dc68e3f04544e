import { LOCAL_DOMAIN } from "../api/local.js";
import type { Environment } from "../project/environment.js";
import { composeMailer, type TemplateCall } from "../send/compose.js";
import { memoryLedger, memorySuppressions, createMemoryPace } from "../send/store/memory.js";
import { ExpiredError, SendAbortedError, type SendError } from "../send/errors.js";
import type { Mailer } from "../send/mailer.js";
import { checkOptionNames } from "../send/check-options.js";
import type { MailerOptions } from "../send/options.js";
import type { Registry, RegistryEntry } from "../project/registry-types.js";
import { type FailureCode, type FailureOptions, FailureQueue } from "./failures.js";
import { type AnyMail, type MailContent, type RecordedMail, recordedMail } from "./recorded-mail.js";
import { type BounceStatus, RecordingLog } from "./recording-log.js";
import { checkAwaited, createTestClock, endUnawaited, type TestClock } from "./test-clock.js";
import type { Clock } from "../send/clock.js";
import type { Courier, CourierOptions } from "../send/delivery/courier.js";
import type { Parcel, Sent } from "../send/parcel.js";
import { factsOf, publish } from "../send/events.js";
import type { OutboundEmail } from "../api/resources/emails.js";
import { renderMustache } from "../mustache/fill.js";
import { fillBodies, loadBodies } from "../send/message/prepare.js";
import { MemoryOutbox } from "./memory-outbox.js";

export interface TestMailerOptions<Types extends object, WithoutSubject extends keyof Types = never> extends Pick<
  MailerOptions<Types, WithoutSubject>,
  "from" | "locale" | "timeZone" | "render" | "suppressHardBounces"
> {
  readonly templates: Registry<Types, WithoutSubject>;
  /** Default `example.test`. */
  readonly domain?: string;
  /** Default: `createTestClock()`. */
  readonly clock?: TestClock;
}

/** A mailer that records. It has the real mailer's members, and the following for tests. */
export interface TestMailer<Types extends object, WithoutSubject extends keyof Types = never> extends Mailer<
  Types,
  WithoutSubject
> {
  /** Sent messages, oldest first. */
  readonly sent: readonly RecordedMail<Types>[];
  /** Messages in the outbox, oldest first; when one is sent, the same object is in `sent`. */
  readonly queued: readonly RecordedMail<Types>[];
  /** Its templates. */
  readonly templateNames: readonly (keyof Types & string)[];
  /** Its clock: `await mailer.clock.advance(3_600_000)`. */
  readonly clock: TestClock;
  /**
   * Sends what is queued and due, and resolves when that is done.
   *
   * @example
   * await request(app).post("/orders").send(order);
   * await mailer.drain();
   * assertSent(mailer, "receipt");
   */
  drain(): Promise<void>;
  /**
   * Makes the next send fail as its `code` says, or with a custom error.
   *
   * @example
   * mailer.failNext("unknown_outcome", { template: "receipt" });
   * mailer.failNext(new RejectedError(403, "The account is suspended.", {}, { cause: undefined }), { times: 3 });
   */
  failNext(failure: FailureCode | SendError, options?: FailureOptions): void;
  /** Makes messages to an address bounce from now on, for `status`, `waitFor` and `bounces`. Default `HARD-BOUNCE`. */
  letBounce(email: string, status?: BounceStatus): void;
  /** Forgets sent and queued messages, including keys, and all failures and bounces. */
  clear(): void;
}

/**
 * A mailer for tests: it has the real mailer's checks, errors and outbox, and records instead of making requests. It
 * needs no key, no network and no file, and never waits for a turn.
 *
 * @example
 * const mailer = createTestMailer({ templates, from: "shop" });
 * await checkOut(cart, { mailer });
 * const mail = assertSent(mailer, "receipt", { to: "ada@example.com", variables: { order: { number: "7" } } });
 * mail.subject; // "Receipt 7"
 */
export function createTestMailer<Types extends object, WithoutSubject extends keyof Types = never>(
  options: TestMailerOptions<Types, WithoutSubject>,
): TestMailer<Types, WithoutSubject> {
  checkOptionNames("createTestMailer", options);
  const { domain = LOCAL_DOMAIN, clock = createTestClock() } = options;
  return composeTestMailer(options, { environment: { ...TEST_ENVIRONMENT, domain }, clock });
}

const TEST_ENVIRONMENT: Environment = {
  name: "test",
  url: "http://TEST_ENVIRONMENT.test",
  domain: LOCAL_DOMAIN,
  version: "v4",
  apiKey: "",
  namePrefix: "",
  nameSuffix: "",
};

/** The real mailer's composition, with parts that record. */
export function composeTestMailer<Types extends object, WithoutSubject extends keyof Types>(
  options: MailerOptions<Types, WithoutSubject>,
  { environment, clock }: { readonly environment: Environment; readonly clock: TestClock },
): TestMailer<Types, WithoutSubject> {
  const templates = options.templates?.templates ?? {};
  const recorder = new Recorder(environment.domain, new Map(Object.entries<RegistryEntry>(templates)), clock);
  const failures = new FailureQueue(Object.keys(templates));
  const unlimited = { ...options, sendsPerMinute: Number.POSITIVE_INFINITY };
  const mailer = composeMailer(unlimited, {
    environment,
    clock,
    hasOutbox: true,
    openStore: async () => ({
      pace: createMemoryPace(clock),
      ledger: memoryLedger(clock),
      suppressions: memorySuppressions(),
      outbox: recorder.outbox,
      close: async () => undefined,
    }),
    createRoute: async () => ({
      courier: recordingCourier(clock, failures, (parcel) => recorder.send(parcel)),
      pace: { expectedWait: async () => 0, close: async () => undefined },
    }),
    log: recorder.log,
    verify: async () => ({ ok: true, checks: [] }),
    noteCall: (id, made) => recorder.note(id, made),
  });
  return {
    ...mailer,
    get sent() {
      checkAwaited(clock);
      // The variables' types were checked when the message was sent.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return recorder.sent as readonly AnyMail[] as readonly RecordedMail<Types>[];
    },
    get queued() {
      checkAwaited(clock);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return recorder.queued as readonly RecordedMail<Types>[];
    },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    templateNames: Object.keys(templates) as (keyof Types & string)[],
    clock,
    async drain() {
      const worker = mailer.work();
      await worker.idle();
      await worker.stop();
    },
    failNext: (failure, which) => failures.add(failure, which),
    letBounce: (email, status) => recorder.log.letBounce(email, status),
    clear() {
      recorder.clear();
      failures.clear();
      endUnawaited(clock);
    },
    async close() {
      await mailer.close();
      endUnawaited(clock);
    },
  };
}

/** Records a parcel instead of making a request; failures that a test asks for have the real courier's errors. */
function recordingCourier(clock: Clock, failures: FailureQueue, record: (parcel: Parcel) => Promise<Sent>): Courier {
  async function deliver(parcel: Parcel, { signal, closing, mayLeave, decided }: CourierOptions): Promise<Sent> {
    const { template, expiresAt } = parcel;
    const message = factsOf(parcel);
    for (const ending of [signal, closing])
      if (ending?.aborted === true) throw new SendAbortedError({ cause: ending.reason });
    if (expiresAt !== undefined && expiresAt <= clock.time()) {
      publish({ type: "expired", ...message });
      throw new ExpiredError();
    }
    if (mayLeave !== undefined && !(await mayLeave())) throw new SendAbortedError();
    publish({ type: "attempt", attempt: 1, waitedMs: 0, ...message });
    const failure = failures.take(template);
    if (failure === undefined) {
      const sent = await record(parcel);
      publish({ type: "accepted", messageId: sent.messageId, durationMs: 0, ...message });
      await decided?.(sent);
      return sent;
    }
    if (failure.code === "rejected") publish({ type: "rejected", status: 422, ...message });
    if (failure.code === "unknown_outcome") publish({ type: "parked", ...message });
    if (failure.code === "rejected" || failure.code === "unknown_outcome") await decided?.(failure);
    throw failure;
  }
  return { deliver, reconcile: async () => "never sent", close: async () => undefined };
}

/** Records what a test's mailer sends, from the call to the delivery log. */
class Recorder {
  readonly sent: AnyMail[] = [];
  readonly log = new RecordingLog();
  readonly outbox: MemoryOutbox;
  /** By the parcel's id. */
  readonly #made = new Map<string, TemplateCall>();
  readonly #mails = new Map<string, AnyMail>();
  #count = 0;

  constructor(
    private readonly domain: string,
    private readonly templates: ReadonlyMap<string, RegistryEntry>,
    private readonly clock: Clock,
  ) {
    this.outbox = new MemoryOutbox(clock, (message) => this.#record(message));
  }

  note(id: string, made: TemplateCall): void {
    this.#made.set(id, made);
  }

  async send(parcel: Parcel): Promise<Sent> {
    const mail = await this.#record(parcel);
    this.sent.push(mail);
    this.log.append(mail, this.clock.time());
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
    const sent: Sent = { outcome: "accepted", id: mailId, messageId: `<${mailId}@${this.domain}>` };
    const mail = recordedMail({ email, sent, domain: this.domain, priority, made, content });
    this.#mails.set(id, mail);
    return mail;
  }

  async #contentOf(email: OutboundEmail, { template }: TemplateCall): Promise<MailContent> {
    const entry = template === undefined ? undefined : this.templates.get(template);
    if (email.template === undefined || entry === undefined)
      return { subject: email.subject ?? "", html: email.html, text: email.text };
    const bodies = await loadBodies(entry);
    const variables = { ...email.variables };
    const subject = renderMustache(email.subject ?? entry.subject, variables, { escape: "none" });
    return { subject, ...(bodies && fillBodies(bodies, variables)) };
  }
}
