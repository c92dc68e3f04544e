import type { Base64Content } from "./base64-content.js";

/** JSON of known length that is written in chunks, repeatedly if necessary. */
export class JsonPieces {
  readonly byteLength: number;

  constructor(private readonly parts: readonly (string | Base64Content)[]) {
    this.byteLength = parts.reduce(
      (sum, part) => sum + (typeof part === "string" ? Buffer.byteLength(part) : part.length),
      0,
    );
  }

  *[Symbol.iterator](): Iterator<string> {
    for (const part of this.parts) {
      if (typeof part === "string") yield part;
      else yield* part.pieces();
    }
  }
}
