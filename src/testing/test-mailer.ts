import { LOCAL_DOMAIN } from "../api/local.js";
import type { Environment } from "../config/environment.js";
import { composeMailer } from "../send/compose.js";
import { memoryLedger } from "../send/delivery/memory-ledger.js";
import type { SendError } from "../send/errors.js";
import type { Mailer } from "../send/mailer.js";
import { checkOptionNames } from "../send/option-names.js";
import type { MailerOptions } from "../send/options.js";
import { createMemoryPace } from "../send/pace/memory-pace.js";
import { memorySuppressions } from "../send/tracking/memory-suppressions.js";
import type { Registry } from "../template/registry.js";
import { type FailureCode, type FailureOptions, Failures } from "./failures.js";
import type { AnyMail, RecordedMail } from "./recorded-mail.js";
import { Recorder } from "./recorder.js";
import { recordingCourier } from "./recording-courier.js";
import type { BounceStatus } from "./recording-log.js";
import { createTestClock, type TestClock } from "./test-clock.js";
import { checkAwaited, endUnawaited } from "./unawaited.js";

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
  const recorder = new Recorder({ environment, templates, clock });
  const failures = new Failures(Object.keys(templates));
  const unlimited = { ...options, sendsPerMinute: Number.POSITIVE_INFINITY };
  const mailer = composeMailer(unlimited, {
    environment,
    clock,
    hasOutbox: true,
    openStore: async () => ({
      pace: createMemoryPace(clock),
      ledger: memoryLedger(),
      suppressions: memorySuppressions(),
      outbox: recorder.outbox,
      close: async () => undefined,
    }),
    createRoute: async () => ({
      courier: recordingCourier({ clock, failures, record: (parcel) => recorder.send(parcel) }),
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
