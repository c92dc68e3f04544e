export { assertNotSent, assertSent, type Expectation } from "./assertions.js";
export { connectLocalService, type RemoteService } from "./connect.js";
export { type Inbox, type InboxOptions, NoMailError, openInbox, type WaitOptions } from "./inbox.js";
export { LocalServiceError } from "./local-http.js";
export { type LocalService, startLocalService } from "./local-service.js";
export type { Partially } from "./partial-match.js";
export type { ReceivedMail } from "./received-mail.js";
export {
  createTestMailer,
  type RecordedAttachment,
  type RecordedMail,
  type RecordedMessage,
  type RecordedPlainMail,
  type RecordedTemplateMail,
  type TemplateMails,
  type TestMailer,
  type TestMailerOptions,
} from "./test-mailer.js";
