import type { Message } from "../../src/mustache/fill.js";
import { parseAddress } from "../inbox/format.js";

interface ExportedEmail extends Message {
  /** `Ada <ada@example.com>`, or only the address. The same applies to `to`. */
  readonly from: string;
  readonly to: string;
  readonly date: Date;
  readonly images: readonly OwnImage[];
}

/**
 * An email as a file that email programs open (RFC 5322 with MIME). Bodies are encoded in base64, because their lines
 * may have any length.
 */
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
      // Clients show the last alternative.
      images.length === 0 ? shown : several("related", [shown, ...images.map((image) => inline(image, idOf(image)))]),
    ]),
    "",
  ].join("\r\n");
}

/** The lines of a part: headers and content. */
type Part = readonly string[];

/** The boundary cannot occur in base64. */
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
  const { name, email } = parseAddress(oneLine(address));
  if (name === undefined) return email;
  const isPlain = /^[\x20-\x7e]*$/.test(name);
  return `${isPlain ? `"${name.replace(/["\\]/g, String.raw`\$&`)}"` : words(name)} <${email}>`;
}

/** A header's value. Non-ASCII text becomes encoded words (RFC 2047), in lines of at most 76 characters. */
function words(text: string): string {
  const line = oneLine(text);
  if (/^[\x20-\x7e]*$/.test(line) && !line.includes("=?")) return line;
  const pieces = line.match(/.{1,9}/gsu) ?? [];
  return pieces.map((piece) => `=?UTF-8?B?${base64(new TextEncoder().encode(piece))}?=`).join("\r\n ");
}

/** A line break in a value would start a new header. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ").trim();
}

/** An image of the project, which the page serves at `assets/`. */
interface OwnImage {
  /** As in the HTML: `assets/logo.png`. */
  readonly path: string;
  readonly type: string;
  readonly base64: string;
}

/**
 * The images that the HTML references relative to the page, because no base URL is configured. Exported files embed
 * them. A static copy that was opened as a file cannot read them.
 */
export async function ownImages(html: string): Promise<readonly OwnImage[]> {
  if (window.location.protocol === "file:") return [];
  const paths = new Set(Array.from(html.matchAll(OWN), ([path]) => path));
  const images = await Promise.all(Array.from(paths, read));
  return images.filter((image) => image !== undefined);
}

/** The HTML with the path of each image replaced. */
export function withImages(html: string, images: readonly OwnImage[], addressOf: (image: OwnImage) => string): string {
  const byPath = new Map(images.map((image) => [image.path, image]));
  return html.replace(OWN, (path) => {
    const image = byPath.get(path);
    return image ? addressOf(image) : path;
  });
}

/** Matches where a URL starts. */
const OWN = /(?<=["'(])assets\/[^"'()\s<>]+/g;

async function read(path: string): Promise<OwnImage | undefined> {
  const answer = await fetch(path).catch(() => undefined);
  if (!answer?.ok) return undefined;
  const type = answer.headers.get("content-type") ?? "application/octet-stream";
  return { path, type, base64: base64(new Uint8Array(await answer.arrayBuffer())) };
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
