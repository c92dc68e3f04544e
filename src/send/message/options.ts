import type { Attachment } from "../attachments/attachments.js";
import type { OnUnknown } from "../delivery/parcel.js";
import type { Duration } from "../duration.js";
import type { Priority } from "../pace/priority.js";
import type { Address } from "./addresses.js";

/** Who a message goes to and what it carries. */
export interface Envelope {
  /** One or many. Who is named twice, here or in `cc` and `bcc`, gets one mail. */
  readonly to: Address | readonly Address[];
  readonly cc?: Address | readonly Address[] | undefined;
  readonly bcc?: Address | readonly Address[] | undefined;
  readonly replyTo?: Address | undefined;
  /** The local part of the sender's address; an address of the environment's domain is cut. Default: the mailer's. */
  readonly from?: string | undefined;
  /** At most 25, and 10 MB together. */
  readonly attachments?: readonly Attachment[] | undefined;
}

/** How a message is dealt with on its way. What is left out is as the template's `template.json` has it. */
export interface Handling {
  /** `high` is for what somebody waits for, such as a sign-in code: it overtakes. Default `normal`. */
  readonly priority?: Priority | undefined;
  /** From then on it is not worth sending: it is dropped, as `expired`. Default: never. */
  readonly expiresAt?: Date | undefined;
  /** The same as a time from now, or from `sendAt`: `"10m"`, or milliseconds. */
  readonly expiresAfter?: Duration | undefined;
  /**
   * What becomes of it when nobody can say whether it was sent: `park` leaves that to somebody to decide, `resend` sends it
   * again, where a duplicate is better than a loss. Default `park`.
   */
  readonly onUnknown?: OnUnknown | undefined;
}

/** How long a direct send may take. */
export interface Delivery {
  /** Ends the send. Once the request is on its way the outcome is unknown. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the service to answer, and before that for streams among the attachments to end. Default: the mailer's. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds to wait at most for a turn, and between tries. Default: the mailer's. */
  readonly maxWait?: number | undefined;
}

/** What makes a call safe to repeat. */
export interface Keyed {
  /**
   * Names what the message is about, as `receipt-1042` does: the same key never sends twice, and a call that is repeated gives
   * the first one's result. `send` and `queue` share their keys. Needs a store with an outbox. At most 255 characters.
   */
  readonly key?: string | undefined;
}

/** How a message waits in the outbox. */
export interface Queueing extends Keyed {
  /** Not before. Default: as soon as its turn comes. */
  readonly sendAt?: Date | undefined;
}

/** Where a template's bodies come from: the service has them by its name, or the registry's are filled here. */
export type Rendering = "template" | "local";

interface FromTemplate {
  /** Takes the place of the template's subject. May hold Mustache; at most 250 characters, filled and not. */
  readonly subject?: string | undefined;
  /**
   * `local` fills the bodies that `templates types --bodies` wrote and sends them as they are, so that nothing needs to be
   * synced. Default: the mailer's, which is `template`.
   */
  readonly render?: Rendering | undefined;
}

/** What `send` takes besides a template and its variables. */
export interface SendOptions extends Envelope, FromTemplate, Handling, Delivery, Keyed {}

/** What `queue` takes besides a template and its variables. */
export interface QueueOptions extends Envelope, FromTemplate, Handling, Queueing {}

/** `Options` for each template, by its name: those that bring no subject need one. */
type ByTemplate<Options, Types extends object, WithoutSubject extends keyof Types> = {
  readonly [Name in keyof Types]: Name extends WithoutSubject ? Options & { readonly subject: string } : Options;
};

export type SendOptionsOf<Types extends object, WithoutSubject extends keyof Types> = ByTemplate<
  SendOptions,
  Types,
  WithoutSubject
>;

export type QueueOptionsOf<Types extends object, WithoutSubject extends keyof Types> = ByTemplate<
  QueueOptions,
  Types,
  WithoutSubject
>;

/** A message without a template: a subject, and a text, an html or both. The service fills nothing in the bodies. */
type Content = { readonly subject: string } & (
  | { readonly text: string; readonly html?: string | undefined }
  | { readonly html: string; readonly text?: string | undefined }
);

/** What `sendMessage` takes. */
export type MessageOptions = Envelope & Handling & Delivery & Keyed & Content;

/** What `queueMessage` takes. */
export type QueuedMessageOptions = Envelope & Handling & Queueing & Content;
