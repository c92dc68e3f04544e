export { assertNotSent, assertQueued, assertSent, type MailMatchers, matchers } from "./assertions.js";
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
export { connectLocalService, type LocalService, type RemoteService, startLocalService } from "./local-service.js";
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
export { type IncomingEmail, RefusedError } from "../service/inbound/incoming.js";
export { type StoreCase, type StoreUnderTest, testMailStore } from "./store/index.js";
export { createTestClock, type TestClock } from "./test-clock.js";
export { createTestMailer, type TestMailer, type TestMailerOptions } from "./test-mailer.js";
