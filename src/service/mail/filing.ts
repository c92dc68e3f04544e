import { EventEmitter, once } from "node:events";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { asError } from "../../errors.js";
import type { DkimSigner } from "../dns/dkim.js";
import { composeSource, readDraft } from "../outbound/draft.js";
import type { DraftRecord } from "../store/mails.js";
import type { Store } from "../store/store.js";
import { removeMailFiles, writeMailFiles } from "./files.js";

/**
 * How long no email must have arrived before emails are filed, in ms of the machine's time, so that sending goes first.
 */
const QUIET_MS = 20;
/** Maximum time a reader waits, in ms of the machine's time. */
const WAIT_MAX_MS = 2_000;

/**
 * Composes accepted emails and writes their files, in order, while nobody sends, or as soon as somebody reads. The rest
 * is done when the service runs again.
 */
export class Filing {
  readonly #store;
  readonly #folder;
  readonly #signer;
  readonly #onError;
  #filed = 0;
  /** The newest email that a reader waits for. */
  #awaited = 0;
  #wokenAt = 0;
  #running: Promise<void> | undefined;
  #stopped = false;
  readonly #changes = new EventEmitter().setMaxListeners(0);
  #isClosing = false;

  /** Without a folder no files are written, and emails are composed when they are opened. */
  constructor(store: Store, folder: string | undefined, signer: DkimSigner, onError: (error: Error) => void) {
    this.#store = store;
    this.#folder = folder;
    this.#signer = signer;
    this.#onError = onError;
  }

  /** Called when an email arrives. */
  wake(): void {
    this.#wokenAt = performance.now();
    this.#changes.emit("change");
    if (this.#folder === undefined || this.#stopped) return;
    this.#running ??= this.#run(this.#folder);
  }

  /** Removes the files of deleted emails, by their log ids. */
  async forget(ids: readonly string[]): Promise<void> {
    this.#changes.emit("change");
    const folder = this.#folder;
    if (folder !== undefined) await Promise.all(ids.map((id) => removeMailFiles(folder, id)));
  }

  /** Waits until an email arrives or is deleted. False if the signal aborted or the service is closing. */
  async nextChange(signal: AbortSignal): Promise<boolean> {
    if (this.#isClosing) return false;
    return await once(this.#changes, "change", { signal }).then(
      () => !this.#isClosing,
      () => false,
    );
  }

  /** Ends all waits for the next change, because the service is closing. */
  stopWaiting(): void {
    this.#isClosing = true;
    this.#changes.emit("change");
  }

  get busy(): boolean {
    return this.#running !== undefined;
  }

  /**
   * Resolves when every email that has arrived so far has its files, so that readers find them. After thousands of
   * emails at once, readers wait only for a limited time; the remaining files follow.
   */
  async settled(): Promise<void> {
    if (!this.busy) return;
    this.#awaited = this.#store.mails.newestDraft();
    const until = performance.now() + WAIT_MAX_MS;
    while (this.#filed < this.#awaited && this.busy && performance.now() < until) await sleep(1);
  }

  /** The remaining emails are filed when the service runs again. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #run(folder: string): Promise<void> {
    try {
      for (let draft = await this.#next(); draft; draft = await this.#next()) {
        await this.#file(draft, folder);
        this.#filed = draft.seq;
      }
    } catch (error) {
      this.#onError(asError(error));
    }
    this.#running = undefined;
  }

  async #next(): Promise<DraftRecord | undefined> {
    await this.#quiet();
    return this.#stopped ? undefined : this.#store.mails.nextDraft(this.#filed);
  }

  /** Resolves when nothing is more urgent. */
  async #quiet(): Promise<void> {
    do await nextTurn();
    while (!this.#stopped && this.#filed >= this.#awaited && (await this.#hasJustCome()));
  }

  async #hasJustCome(): Promise<boolean> {
    if (performance.now() - this.#wokenAt >= QUIET_MS) return false;
    await sleep(QUIET_MS);
    return true;
  }

  async #file({ seq, draft: text }: DraftRecord, folder: string): Promise<void> {
    try {
      const draft = readDraft(text);
      const source = await composeSource(draft, this.#signer);
      await writeMailFiles(folder, draft.id, { source, html: draft.message.html, text: draft.message.text });
      const isKept = this.#store.transaction(() => this.#store.mails.setSource(seq, source));
      if (!isKept) await removeMailFiles(folder, draft.id);
    } catch (error) {
      // The draft stays and is tried again when the service runs again.
      this.#onError(asError(error));
    }
  }
}
