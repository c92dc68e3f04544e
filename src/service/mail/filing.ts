import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { asError } from "../errors.js";
import { composeSource } from "../outbound/compose.js";
import { readDraft } from "../outbound/draft.js";
import type { DraftRecord } from "../store/mails.js";
import type { Store } from "../store/store.js";
import { removeMailFiles, writeMailFiles } from "./files.js";

/** How long no mail must have come for those that did to be filed, in the machine's time: sending goes first. */
const QUIET_MS = 20;
/** How long a reader waits at most, in the machine's time. */
const WAIT_MAX_MS = 2_000;

/**
 * Composes accepted mails and writes their files, in their order, while nobody sends, or as soon as somebody reads. What
 * was not done when the service ended is done when it runs again.
 */
export class Filing {
  readonly #store;
  readonly #folder;
  readonly #onError;
  #filed = 0;
  /** The newest mail that somebody waits for. */
  #awaited = 0;
  #wokenAt = 0;
  #running: Promise<void> | undefined;
  #stopped = false;
  readonly #waiting = new Set<(isNews: boolean) => void>();
  #isAwaited = true;

  /** Without a folder there are no files, and mails are composed when they are opened. */
  constructor(store: Store, folder: string | undefined, onError: (error: Error) => void) {
    this.#store = store;
    this.#folder = folder;
    this.#onError = onError;
  }

  /** Is told that a mail came. */
  wake(): void {
    this.#wokenAt = performance.now();
    this.#tell(true);
    if (this.#folder === undefined || this.#stopped) return;
    this.#running ??= this.#run(this.#folder);
  }

  /** Removes the files of deleted mails, by the log ids that were theirs. */
  async forget(ids: readonly string[]): Promise<void> {
    this.#tell(true);
    const folder = this.#folder;
    if (folder !== undefined) await Promise.all(ids.map((id) => removeMailFiles(folder, id)));
  }

  /** Waits until a mail comes or is deleted: false where the signal aborted, or the service ends. */
  nextChange(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isNews: boolean) => {
        this.#waiting.delete(end);
        signal.removeEventListener("abort", giveUp);
        resolve(isNews);
      };
      const giveUp = () => end(false);
      this.#waiting.add(end);
      signal.addEventListener("abort", giveUp);
      if (signal.aborted || !this.#isAwaited) giveUp();
    });
  }

  /** Nobody waits for the next change any longer: the service ends. */
  stopWaiting(): void {
    this.#isAwaited = false;
    this.#tell(false);
  }

  #tell(isNews: boolean): void {
    for (const end of this.#waiting) end(isNews);
  }

  get busy(): boolean {
    return this.#running !== undefined;
  }

  /**
   * Resolves when every mail that came before has its files, so that whoever reads of a mail finds them. Behind thousands
   * of mails that came at once, readers do not wait longer than is bearable: these files follow.
   */
  async settled(): Promise<void> {
    if (!this.busy) return;
    this.#awaited = this.#store.mails.newestDraft();
    const until = performance.now() + WAIT_MAX_MS;
    while (this.#filed < this.#awaited && this.busy && performance.now() < until) await sleep(1);
  }

  /** What is left is done when the service runs again. */
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
      const source = await composeSource(draft);
      await writeMailFiles(folder, draft.id, { source, html: draft.message.html, text: draft.message.text });
      const isKept = this.#store.transaction(() => this.#store.mails.setSource(seq, source));
      if (!isKept) await removeMailFiles(folder, draft.id);
    } catch (error) {
      // Its draft stays, and is tried again when the service runs again.
      this.#onError(asError(error));
    }
  }
}
