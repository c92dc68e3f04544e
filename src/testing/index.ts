export { assertNotSent, assertQueued, assertSent, type MailMatchers, matchers } from "./assertions.js";
export type { Expectation, ExpectedAttachment } from "./expectation.js";
export type { FailureCode, FailureOptions } from "./failures.js";
export { type Inbox, type InboxOptions, openInbox } from "./inbox.js";
export { LocalServiceError } from "./local-http.js";
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
export type { ReceivedMail } from "./received-mail.js";
export { type MailerRecording, recordMailer } from "./record-mailer.js";
export type { BounceStatus } from "./recording-log.js";
export type { ReceivedEmailBody } from "../service/index.js";
export { type IncomingEmail, RefusedError, type RefusedResponse } from "../service/inbound/incoming.js";
export { type StoreCase, type StoreUnderTest, testMailStore } from "./store/index.js";
export { createTestClock, type TestClock } from "./test-clock.js";
export { createTestMailer, type TestMailer, type TestMailerOptions } from "./test-mailer.js";
export { NoMailError, type WaitOptions } from "./waiting.js";
export type { WebhookAnswer, WebhookCatcher, WebhookOptions, WebhookWaitOptions } from "./webhook-catcher.js";
