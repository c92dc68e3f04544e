/** How many bytes are compared at a time: a multiple of three, so that no piece but the last has padding. */
const PIECE_BYTES = 48 * 1024;

/**
 * What a base64 stands for (RFC 4648), also where it is broken into lines of one length, as mails have it, indented, as source
 * code has it, or without its padding. Undefined where it is none: a text of its own is mostly recognised by its spaces and signs.
 */
export function decodeBase64(given: string): Uint8Array | undefined {
  const text = joinLines(given);
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text, "base64");
  // Only what encodes back to the same text is base64. In pieces: the whole would be another text of megabytes.
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    const encoded = bytes.toString("base64", start, Math.min(start + PIECE_BYTES, bytes.length));
    const at = (start / 3) * 4;
    const isLast = start + PIECE_BYTES >= bytes.length;
    const same = isLast ? padded(text.slice(at)) === encoded : text.startsWith(encoded, at);
    if (!same) return undefined;
  }
  return bytes.length === 0 && text !== "" ? undefined : bytes;
}

/** Without spaces around the whole and around its lines. Undefined where lines are not of one length, apart from the last one. */
function joinLines(given: string): string | undefined {
  const text = given.trim();
  if (!text.includes("\n")) return text;
  const lines = text.split("\n").map((line) => line.trim());
  const length = lines[0]?.length ?? 0;
  const areEven = length % 4 === 0 && lines.slice(0, -1).every((line) => line.length === length);
  return lines.length === 1 || (areEven && (lines.at(-1)?.length ?? 0) <= length) ? lines.join("") : undefined;
}

function padded(text: string): string {
  return text.includes("=") ? text : text + "=".repeat((4 - (text.length % 4)) % 4);
}
