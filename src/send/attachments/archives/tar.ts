import type { ArchiveContents } from "./contents.js";

const BLOCK = 512;
const CHECKSUM = { start: 148, end: 156 };
/** Maximum length of a name that has its own blocks. */
const LONG_NAME_MAX = 64 * 1024;

export function tarContents(bytes: Buffer): ArchiveContents | undefined {
  if (!isTarHeader(bytes.subarray(0, BLOCK))) return undefined;
  const reader = new TarReader();
  reader.take(bytes);
  return { names: reader.names };
}

/**
 * Finds the names in a tar that arrives in chunks. Each block is checked on its own, regardless of the sizes before it:
 * a block with a valid checksum is a header.
 */
export class TarReader {
  readonly names: string[] = [];
  #rest: Buffer = Buffer.alloc(0);
  /** The remaining and the received bytes of a long name. */
  #longBytes = 0;
  #long: Buffer[] = [];

  take(piece: Buffer): void {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let at = 0;
    for (; at + BLOCK <= bytes.length; at += BLOCK) this.#takeBlock(bytes.subarray(at, at + BLOCK));
    this.#rest = bytes.subarray(at);
  }

  #takeBlock(block: Buffer): void {
    if (this.#longBytes > 0) {
      this.#long.push(Buffer.from(block.subarray(0, this.#longBytes)));
      this.#longBytes -= BLOCK;
      if (this.#longBytes <= 0) this.names.push(...longNames(Buffer.concat(this.#long.splice(0)).toString()));
    } else if (isTarHeader(block)) {
      this.names.push(text(block, 0, 100));
      // A GNU long name, or pax records.
      if (/[LxXg]/.test(text(block, 156, 157)))
        this.#longBytes = Math.min(Number.parseInt(text(block, 124, 136).trim(), 8) || 0, LONG_NAME_MAX);
    }
  }
}

/** Whether a block has a header's checksum: the sum of its bytes, with spaces in place of the checksum. */
export function isTarHeader(block: Buffer): boolean {
  if (block.length < BLOCK || block[0] === 0) return false;
  const noted = /^\s*([0-7]+)/.exec(text(block, CHECKSUM.start, CHECKSUM.end))?.[1];
  if (noted === undefined) return false;
  let sum = 0;
  let above = 0;
  for (let index = 0; index < BLOCK; index += 1) {
    const byte = index >= CHECKSUM.start && index < CHECKSUM.end ? 0x20 : (block[index] ?? 0);
    sum += byte;
    if (byte > 0x7f) above += 1;
  }
  // Old programs added bytes as signed numbers.
  return [sum, sum - above * 256].includes(Number.parseInt(noted, 8));
}

/** The `path` of pax records (`27 path=…`), or a plain long name. */
function longNames(long: string): string[] {
  const paths = [...long.matchAll(/(?:^|\n)\d+ path=([^\n]*)/g)].map(([, path = ""]) => path);
  return paths.length > 0 ? paths : [long.replace(/\0.*/s, "")];
}

function text(block: Buffer, start: number, end: number): string {
  return block.toString("utf8", start, end).replace(/\0.*/s, "");
}
