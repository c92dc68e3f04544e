export type { Variables } from "../mustache/variables.js";
export type {
  DeriveContext,
  Registry,
  RegistryEntry,
  RegistryEnvironment,
  TemplateBodies,
  VariablesCheck,
} from "../project/registry-types.js";
export type { Attachment, AttachmentContent } from "./attachments/attachment.js";
export type { Clock, Duration } from "./clock.js";
export type { Ledger, LedgerClaim, LedgerEnd, LedgerEntry, LedgerFinding, NewLedgerEntry } from "./store/ledger.js";
export type { OnUnknown, Priority, Sent } from "./parcel.js";
export {
  ExpiredError,
  InDoubtError,
  InvalidMessageError,
  InvalidVariablesError,
  type Problem,
  RateLimitedError,
  RejectedError,
  SendAbortedError,
  SendError,
  type SendErrorCode,
  SendUnreachableError,
  StoreError,
  UnknownOutcomeError,
} from "./errors.js";
export { onSendEvent, type SendEvent } from "./events.js";
export { createMailer, type Mailer } from "./mailer.js";
export type { Address } from "./message/addresses.js";
export type {
  Delivery,
  Envelope,
  Handling,
  Keyed,
  MessageOptions,
  QueuedMessageOptions,
  Queueing,
  QueueOptions,
  Rendering,
  RunStatement,
  SendOptions,
  Transaction,
} from "./message/options.js";
export type { MailerOptions, OutboxOptions, ReconcileOptions } from "./options.js";
export type { OutboxOperations, Queued } from "./outbox/outbox.js";
export type {
  AddedMessage,
  CleanOptions,
  ExpectedMessage,
  MessageKey,
  MessageLease,
  Moment,
  NewMessage,
  OutboxChange,
  OutboxCounts,
  OutboxFilter,
  OutboxMessage,
  OutboxProblem,
  OutboxState,
  OutboxStore,
  StoredMessage,
  TakenMessage,
  TakeOptions,
} from "./store/outbox.js";
export type { Worker, WorkOptions } from "./outbox/worker.js";
export type {
  PaceAccount,
  PaceAnswer,
  PaceState,
  PaceStore,
  PaceTicket,
  PlanUpdate,
  PlanUse,
  SlotEnd,
} from "./store/pace.js";
export type { MailStore, Suppression, SuppressionStore } from "./store/store.js";
export type { Bounce, BouncesOptions } from "./tracking/bounces.js";
export { DeliveryTimeoutError, MessageNotFoundError, NotDeliveredError } from "./tracking/errors.js";
export type { DeliveryEvent, MessageState, MessageStatus, RecipientStatus } from "./tracking/message-status.js";
export type { Suppressions } from "./tracking/suppressed.js";
export type { Check, Verification } from "./tracking/verify.js";
export type { WaitForOptions } from "./tracking/wait-for.js";
