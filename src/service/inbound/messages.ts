import MimeNode from "nodemailer/lib/mime-node";
import { HOSTNAME } from "../delivery/deliveries.js";
import { timeOfLogId } from "../ids.js";
import { NOTICE_SENDER, NOTICE_SUBJECT, noticeMessageId } from "../mail/captured.js";
import { headersOf } from "../mail/mail-reader.js";

type Header = readonly [name: string, value: string];

export function headerLines(headers: readonly Header[]): Buffer {
  return Buffer.from(headers.map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, " ")}\r\n`).join(""));
}

/** A message with further headers before its own. */
export function prependHeaders(source: Uint8Array, headers: readonly Header[]): Buffer {
  return Buffer.concat([headerLines(headers), source]);
}

/**
 * The headers that come before a message when it is forwarded. `Delivered-To` marks that it was at this address, so
 * that loops are recognized.
 */
export function forwardingHeaders(recipient: string, destination: string): Buffer {
  return headerLines([
    ["Delivered-To", recipient],
    ["X-Forwarded-To", destination],
  ]);
}

/** A delivery that failed for good. */
export interface FailedDelivery {
  readonly recipient: string;
  readonly code: number;
  /** Begins with an enhanced status code. */
  readonly message: string;
}

export interface Notice {
  /** Its log id. */
  readonly id: string;
  readonly failed: readonly FailedDelivery[];
  /** The message that was not delivered. */
  readonly source: Uint8Array;
  /** The message's sender, who gets the notice. */
  readonly sender: string;
}

/** A delivery status notification (RFC 3464): what failed, for people and for programs, and the message's headers. */
export async function notifySender({ id, failed, source, sender }: Notice): Promise<Buffer> {
  const report = new MimeNode("multipart/report; report-type=delivery-status", { newline: "win" });
  report.setHeader({
    From: `${NOTICE_SENDER.name} <${NOTICE_SENDER.email}>`,
    To: sender,
    Subject: NOTICE_SUBJECT,
    Date: new Date(timeOfLogId(id)).toUTCString().replace("GMT", "+0000"),
    "Message-ID": noticeMessageId(id),
    "Auto-Submitted": "auto-replied",
  });
  report
    .createChild("text/plain; charset=utf-8")
    .setContent(
      [
        "Your message could not be delivered:",
        ...failed.map(({ recipient, code, message }) => `\r\n${recipient}: ${code} ${message}`),
      ].join("\r\n"),
    );
  report
    .createChild("message/delivery-status")
    .setContent(
      [
        `Reporting-MTA: dns; ${HOSTNAME}\r\n`,
        ...failed.map(({ recipient, code, message }) =>
          [
            `Final-Recipient: rfc822; ${recipient}`,
            "Action: failed",
            `Status: ${/^[245]\.\d+\.\d+/.exec(message)?.[0] ?? "5.0.0"}`,
            `Diagnostic-Code: smtp; ${code} ${message.replace(/[\r\n]+/g, " ")}\r\n`,
          ].join("\r\n"),
        ),
      ].join("\r\n"),
    );
  report.createChild("text/rfc822-headers").setContent(Buffer.from(headersOf(source)));
  return await report.build();
}
