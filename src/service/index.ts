export type { Clock } from "./clock.js";
export { frozenClock, runningClock } from "./clock.js";
export { DatabaseNewerError, DataFolderHeldError, PortUnavailableError } from "./errors.js";
export type { CapturedAttachment, CapturedMail, CapturedMails, OpenedMail, Recipient } from "./mail/captured.js";
export { type RunningService, type ServiceOptions, startService } from "./start.js";
export type { Seed } from "./store/seed.js";
