/** How many bytes are encoded at a time: a multiple of three, so that only the last chunk has padding. */
const PIECE_BYTES = 48 * 1024;

/**
 * A file's bytes as a base64 string in JSON. Encoded in chunks, so that the whole string never exists in memory.
 *
 * @example
 * const content = new Base64Content(await readFile("terms.pdf"));
 * await client.emails.send("example.com", { ...email, attachments: [{ filename: "terms.pdf", content }] });
 */
export class Base64Content {
  /** @param bytes Not copied: don't change them until the call has ended. */
  constructor(readonly bytes: Uint8Array) {}

  /** Number of characters of the whole base64 string. */
  get length(): number {
    return Math.ceil(this.bytes.byteLength / 3) * 4;
  }

  *pieces(): Iterable<string> {
    const { buffer, byteOffset, byteLength } = this.bytes;
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    for (let start = 0; start < byteLength; start += PIECE_BYTES)
      yield bytes.toString("base64", start, Math.min(start + PIECE_BYTES, byteLength));
  }

  /** The whole base64 string, for `JSON.stringify`. */
  toJSON(): string {
    return [...this.pieces()].join("");
  }
}
