import { randomUUID } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { SMALL_BYTES } from "./large-messages.js";

const FIRST_BYTES = 16 * 1024;

/** Buffers of earlier messages, for the next ones: with a new one for each, a fifth of the time is garbage collection. */
const idleBuffers: Buffer[] = [];
const IDLE_BUFFERS_MAX = 16;

/**
 * A message while it arrives. Only the newest part of a large one is in memory, and the rest in a file, because slow
 * clients take minutes.
 */
export class ArrivingMessage {
  readonly #folder;
  // The server emits a chunk for each line that starts with a dot, so that keeping the chunks could take a hundred
  // times the memory of the message.
  #bytes = idleBuffers.pop() ?? Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;
  #stored = 0;
  #file: FileHandle | undefined;
  #failure: unknown;

  /** @param folder Where a large message is stored. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** In bytes. */
  get length(): number {
    return this.#stored + this.#length;
  }

  async append(chunk: Uint8Array): Promise<void> {
    if (this.#length + chunk.length > SMALL_BYTES) await this.#store();
    const needed = this.#length + chunk.length;
    if (needed > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes], Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.set(chunk, this.#length);
    this.#length = needed;
  }

  /** Only `read` fails if this does, because clients get no answer before they have sent everything. */
  async #store(): Promise<void> {
    try {
      this.#file ??= await openUnnamed(this.#folder);
      await this.#file.writeFile(this.#bytes.subarray(0, this.#length));
    } catch (error) {
      this.#failure ??= error;
    }
    this.#stored += this.#length;
    this.#length = 0;
  }

  /**
   * The whole message. It is valid until the message is closed.
   *
   * @throws the error of the file system if it could not be stored.
   */
  async read(): Promise<Uint8Array> {
    if (this.#stored === 0) return this.#bytes.subarray(0, this.#length);
    await this.#store();
    if (!this.#file || this.#failure !== undefined) throw this.#failure;
    return await buffer(this.#file.createReadStream({ start: 0 }));
  }

  async close(): Promise<void> {
    if (idleBuffers.length < IDLE_BUFFERS_MAX) idleBuffers.push(this.#bytes);
    await this.#file?.close();
  }
}

/** A file that disappears when it is closed or the process is killed. Killed right here, it leaves an empty one. */
async function openUnnamed(folder: string): Promise<FileHandle> {
  const path = join(folder, `arriving-${randomUUID()}`);
  const file = await open(path, "wx+", 0o600);
  await rm(path);
  return file;
}
