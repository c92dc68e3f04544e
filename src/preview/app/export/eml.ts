import type { Message } from "../../../mustache/fill.js";
import { partsOf } from "../inbox/words.js";

export interface ExportedEmail extends Message {
  /** `Ada <ada@example.com>`, or the address alone; so is `to`. */
  readonly from: string;
  readonly to: string;
  readonly date: Date;
}

/** No line of base64 is like it. */
const BOUNDARY = "alternative";

/** An email as a file that mail programs open: RFC 5322, with MIME. Bodies are in base64, as their lines may be of any length. */
export function emlOf({ from, to, subject, date, html, text }: ExportedEmail): string {
  return [
    `From: ${mailbox(from)}`,
    `To: ${mailbox(to)}`,
    `Subject: ${words(subject)}`,
    `Date: ${date.toUTCString().replace("GMT", "+0000")}`,
    "MIME-Version: 1.0",
    `Content-Type: multipart/alternative; boundary="${BOUNDARY}"`,
    "",
    ...part("plain", text),
    // The last one is what is shown.
    ...part("html", html),
    `--${BOUNDARY}--`,
    "",
  ].join("\r\n");
}

function part(kind: "plain" | "html", body: string): readonly string[] {
  return [
    `--${BOUNDARY}`,
    `Content-Type: text/${kind}; charset=utf-8`,
    "Content-Transfer-Encoding: base64",
    "",
    base64(body.replace(/\r?\n/g, "\r\n")).replace(/.{76}(?=.)/g, "$&\r\n"),
  ];
}

function mailbox(address: string): string {
  const { name, email } = partsOf(oneLine(address));
  if (name === undefined) return email;
  const isPlain = /^[\x20-\x7e]*$/.test(name);
  return `${isPlain ? `"${name.replace(/["\\]/g, String.raw`\$&`)}"` : words(name)} <${email}>`;
}

/** A header's text; what is more than ASCII as encoded words (RFC 2047), of lines of 76 characters at most. */
function words(text: string): string {
  const line = oneLine(text);
  if (/^[\x20-\x7e]*$/.test(line) && !line.includes("=?")) return line;
  const pieces = line.match(/.{1,9}/gsu) ?? [];
  return pieces.map((piece) => `=?UTF-8?B?${base64(piece)}?=`).join("\r\n ");
}

/** A line break in a header would begin another one. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ").trim();
}

function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
