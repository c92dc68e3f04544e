/** How many bytes become base64 at a time: a multiple of three, so that no piece but the last has padding. */
const PIECE_BYTES = 48 * 1024;

/**
 * A file's bytes where JSON has a text in base64: written a piece at a time, so that no text of the whole is made.
 *
 * @example
 * const content = new Base64Content(await readFile("terms.pdf"));
 * await client.emails.send("example.com", { ...email, attachments: [{ filename: "terms.pdf", content }] });
 */
export class Base64Content {
  /** @param bytes Not copied: they stay as they are until the call has ended. */
  constructor(readonly bytes: Uint8Array) {}

  /** Characters of the whole base64. */
  get length(): number {
    return Math.ceil(this.bytes.byteLength / 3) * 4;
  }

  *pieces(): Iterable<string> {
    const { buffer, byteOffset, byteLength } = this.bytes;
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    for (let start = 0; start < byteLength; start += PIECE_BYTES)
      yield bytes.toString("base64", start, Math.min(start + PIECE_BYTES, byteLength));
  }

  /** The whole base64: what `JSON.stringify` writes. */
  toJSON(): string {
    return [...this.pieces()].join("");
  }
}
