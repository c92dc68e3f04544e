export type { ServiceClock as Clock } from "./clock.js";
export { frozenClock, runningClock } from "./clock.js";
export { ControlError } from "./http/read-control.js";
export type { MustacheDialect, Settings, SettingsChanges, SettingsValues } from "./control/settings.js";
export type { DeliveryOutcome as Outcome } from "./delivery/deliveries.js";
export type { Fault, PendingFault } from "./control/faults.js";
export type { Faults } from "./control/faults.js";
export type { WebhookBody } from "./delivery/webhooks.js";
export { type IncomingEmail, RefusedError, type RefusedResponse } from "./inbound/incoming.js";
export type { ReceivedEntries, ReceivedEntry } from "./inbound/inbound.js";
export type { Received } from "./inbound/envelope.js";
export type { ReceivedEmailBody } from "./inbound/webhook-post.js";
export {
  DatabaseNewerError,
  DataFolderError,
  DataFolderHeldError,
  PortUnavailableError,
  SeedError,
  ServiceClosedError,
} from "./errors.js";
export type { CapturedAttachment, CapturedMail, CapturedMails, OpenedMail, Recipient } from "./mail/captured.js";
export type { DnsSource } from "./dns/check.js";
export { type RunningService, type ServiceOptions, startService } from "./start.js";
export type { Seed } from "./seed/schema.js";
