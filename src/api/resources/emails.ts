import type { AnswerReader } from "../calls/answer.js";
import { type Base64Content, JsonPieces } from "../calls/http.js";
import type { Caller, CallOptions } from "../calls/caller.js";
import * as PATHS from "../contract/v4/paths.js";
import type { AcceptedEmail, OutboundAttachmentBody, OutboundEmailBody } from "../contract/v4/emails.js";
import type { ReadOnly } from "./rules.js";

/** A file of an email: its content in base64, or as bytes that are encoded while they are sent. */
export interface OutboundAttachment extends Readonly<Omit<OutboundAttachmentBody, "content">> {
  readonly content: string | Base64Content;
}

/** An email to send. `variables` are converted to JSON. */
export interface OutboundEmail extends ReadOnly<Omit<OutboundEmailBody, "variables" | "attachments">> {
  readonly variables?: object | undefined;
  readonly attachments?: readonly OutboundAttachment[] | undefined;
}

export interface EmailCalls {
  /**
   * Sends one email; at most 10 calls a minute. There is no idempotency key, so a second call is a second email: it is
   * only retried if nothing of the request was sent, and the caller must handle a 429.
   */
  send(domain: string, email: OutboundEmail, options?: CallOptions): Promise<AcceptedEmail>;
}

export function emailCalls(caller: Caller, accepted: AnswerReader<AcceptedEmail>): EmailCalls {
  return {
    async send(domain, email, options) {
      const parameters = { domain };
      const body = withFiles(email);
      const request = { method: "POST", endpoint: PATHS.outboundEmails, parameters, body, kind: "send" } as const;
      const { id, message_id } = await caller.ask(request, async () => accepted, options);
      return { id, message_id };
    },
  };
}

/** An email with files, as JSON whose base64 is written in chunks. */
function withFiles(email: OutboundEmail): object | JsonPieces {
  if (!email.attachments?.some(({ content }) => typeof content === "object")) return email;
  const { attachments, ...fields } = email;
  const parts: (string | Base64Content)[] = [JSON.stringify({ ...fields, attachments: [] }).slice(0, -"]}".length)];
  for (const [index, { content, ...facts }] of attachments.entries()) {
    if (index > 0) parts.push(",");
    if (typeof content === "string") parts.push(JSON.stringify({ ...facts, content }));
    else parts.push(JSON.stringify({ ...facts, content: "" }).slice(0, -'"}'.length), content, '"}');
  }
  return new JsonPieces([...parts, "]}"]);
}
