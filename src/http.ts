/* What the servers of the preview and of the local service have in common. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import type { Context } from "hono";

/** Only the page's own script runs, and it only reaches its own server. Emails may show images from anywhere. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: http: https:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The policy for a file that is opened on its own: an SVG must not run scripts as a page of this origin. */
export const FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

/** Answers with a file of the built page. */
export async function answerPageFile(c: Context, name: string): Promise<Response> {
  const headers = { "Content-Type": CONTENT_TYPES[path.extname(name)] ?? "", Vary: "Accept-Encoding" };
  if (!/\bbr\b/.test(c.req.header("accept-encoding") ?? "")) return c.body(await readPageFile(name), 200, headers);
  return c.body(new Uint8Array(await readCompressed(name)), 200, { ...headers, "Content-Encoding": "br" });
}

/** A file of the built page, apart from its HTML. */
export async function readPageFile(name: string): Promise<string> {
  return (await promisify(brotliDecompress)(await readCompressed(name))).toString("utf8");
}

/** As stored in the package, compressed with Brotli. */
function readCompressed(name: string): Promise<Buffer> {
  return readFile(new URL(`./preview/page/${name}.br`, import.meta.url));
}

export function readPageHtml(): Promise<string> {
  return readFile(new URL("./preview/page/index.html", import.meta.url), "utf8");
}

/** The header for a download under this name, encoded as in RFC 8187. */
export function attachmentDisposition(filename: string): string {
  const encoded = encodeURIComponent(filename.replace(/\p{Surrogate}/gu, "_")).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
}

/**
 * Reads a body of at most `limit` bytes. A larger one is read on up to `dropLimit` and dropped, because a client that is
 * cut off while sending would not receive the answer.
 *
 * @returns Undefined if the body is too large.
 */
export async function readBodyUpTo(
  limit: number,
  dropLimit: number,
  { body }: Request,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length <= limit) chunks.push(chunk);
    else chunks.length = 0;
    if (length > dropLimit) break;
  }
  return length <= limit ? Buffer.concat(chunks, length) : undefined;
}
