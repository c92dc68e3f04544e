import type { Message } from "../../../mustache/fill.js";
import { partsOf } from "../inbox/words.js";
import { base64, type OwnImage, withImages } from "./own-images.js";

export interface ExportedEmail extends Message {
  /** `Ada <ada@example.com>`, or the address alone; so is `to`. */
  readonly from: string;
  readonly to: string;
  readonly date: Date;
  readonly images: readonly OwnImage[];
}

/** An email as a file that mail programs open: RFC 5322, with MIME. Bodies are in base64, as their lines may be of any length. */
export function emlOf({ from, to, subject, date, html, text, images }: ExportedEmail): string {
  const idOf = (image: OwnImage) => `image-${images.indexOf(image) + 1}`;
  const shown = body(
    "html",
    withImages(html, images, (image) => `cid:${idOf(image)}`),
  );
  return [
    `From: ${mailbox(from)}`,
    `To: ${mailbox(to)}`,
    `Subject: ${words(subject)}`,
    `Date: ${date.toUTCString().replace("GMT", "+0000")}`,
    "MIME-Version: 1.0",
    ...several("alternative", [
      body("plain", text),
      // The last one is what is shown.
      images.length === 0 ? shown : several("related", [shown, ...images.map((image) => inline(image, idOf(image)))]),
    ]),
    "",
  ].join("\r\n");
}

/** The lines of a part: its headers, and what it has. */
type Part = readonly string[];

/** Its boundary is in no line of base64. */
function several(kind: "alternative" | "related", parts: readonly Part[]): Part {
  const boundary = `--${kind}`;
  return [
    `Content-Type: multipart/${kind}; boundary="${kind}"`,
    "",
    ...parts.flatMap((part) => [boundary, ...part]),
    `${boundary}--`,
  ];
}

function body(kind: "plain" | "html", text: string): Part {
  const content = base64(new TextEncoder().encode(text.replace(/\r?\n/g, "\r\n")));
  return [`Content-Type: text/${kind}; charset=utf-8`, ...encoded(content)];
}

function inline({ type, base64: content }: OwnImage, id: string): Part {
  return [`Content-Type: ${type}`, `Content-ID: <${id}>`, "Content-Disposition: inline", ...encoded(content)];
}

function encoded(content: string): Part {
  return ["Content-Transfer-Encoding: base64", "", content.replace(/.{76}(?=.)/g, "$&\r\n")];
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
  return pieces.map((piece) => `=?UTF-8?B?${base64(new TextEncoder().encode(piece))}?=`).join("\r\n ");
}

/** A line break in a header would begin another one. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ").trim();
}
