export type { Variables } from "../mustache/variables.js";
export type {
  DeriveContext,
  Registry,
  RegistryEntry,
  RegistryEnvironment,
  VariablesCheck,
} from "../template/registry.js";
export type { Address } from "./message/addresses.js";
export type { Attachment } from "./attachments/attachments.js";
export type { Clock } from "./clock.js";
export {
  InvalidMessageError,
  InvalidVariablesError,
  type Problem,
  RateLimitedError,
  RejectedError,
  SendAbortedError,
  SendError,
  type SendErrorCode,
  SendUnreachableError,
  UnknownOutcomeError,
} from "./errors.js";
export { createMailer, type Mailer, type MailerOptions, type Sent } from "./mailer.js";
export type { Delivery, Envelope, MessageOptions, SendOptions } from "./message/envelope.js";
