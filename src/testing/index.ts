export { assertNotSent, assertQueued, assertSent } from "./assertions.js";
export { connectLocalService, type RemoteService } from "./local-service.js";
export type { Expectation, ExpectedAttachment } from "./expectation.js";
export type { FailureCode, FailureOptions } from "./failures.js";
export {
  type Inbox,
  type InboxOptions,
  LocalServiceError,
  NoMailError,
  openInbox,
  type ReceivedMail,
  type WaitOptions,
} from "./inbox.js";
export { type LocalService, startLocalService } from "./local-service.js";
export { type MailMatchers, matchers } from "./assertions.js";
export type { AsymmetricMatcher, Partially, StringPattern } from "./partial-match.js";
export type {
  AnyMail,
  RecordedAttachment,
  RecordedMail,
  RecordedMessage,
  RecordedPlainMail,
  RecordedTemplateMail,
  TemplateMails,
} from "./recorded-mail.js";
export { type MailerRecording, recordMailer } from "./record-mailer.js";
export type { BounceStatus } from "./recording-log.js";
export type { StoreCase, StoreUnderTest } from "./store/index.js";
export { testMailStore } from "./store/index.js";
export { createTestClock, type TestClock } from "./test-clock.js";
export { createTestMailer, type TestMailer, type TestMailerOptions } from "./test-mailer.js";
