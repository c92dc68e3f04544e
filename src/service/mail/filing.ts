import { EventEmitter, once } from "node:events";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { asError } from "../../errors.js";
import type { DkimSigner } from "../dns/dkim.js";
import { composeSource, readDraft } from "../outbound/draft.js";
import type { MailFile, UnfiledRecord } from "../store/mails.js";
import type { Store } from "../store/store.js";
import { type FiledEmail, removeMailFiles, writeMailFiles } from "./files.js";
import type { MailReader } from "./mail-reader.js";

/**
 * How long no email must have arrived before emails are filed, in ms of the machine's time, so that sending goes first.
 */
const QUIET_MS = 20;
/** Maximum time a reader waits, in ms of the machine's time. */
const WAIT_MAX_MS = 2_000;

/**
 * Composes accepted emails and writes the files of all captured ones, in order, while nobody sends, or as soon as
 * somebody reads. The rest is done when the service runs again.
 */
export class Filing {
  readonly #store;
  readonly #folder;
  readonly #reader;
  readonly #signer;
  readonly #onError;
  #filed = 0;
  /** The newest email that a reader waits for. */
  #awaited = 0;
  #wokenAt = 0;
  #running: Promise<void> | undefined;
  #stopped = false;
  #deletions = 0;
  readonly #changes = new EventEmitter().setMaxListeners(0);
  #isClosing = false;

  /** Without a folder no files are written, and emails are composed when they are opened. */
  constructor(
    store: Store,
    folder: string | undefined,
    { reader, signer }: { readonly reader: MailReader; readonly signer: DkimSigner },
    onError: (error: Error) => void,
  ) {
    this.#store = store;
    this.#folder = folder;
    this.#reader = reader;
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

  /** Removes the files of emails that have just been deleted. */
  async forget(files: readonly MailFile[]): Promise<void> {
    this.#deletions += 1;
    this.#changes.emit("change");
    const folder = this.#folder;
    if (folder !== undefined) await Promise.all(files.map((file) => removeMailFiles(folder, file)));
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

  /** Number of deletions since the service started. */
  get deletions(): number {
    return this.#deletions;
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
    this.#awaited = this.#store.mails.newestUnfiled();
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
      for (let unfiled = await this.#next(); unfiled; unfiled = await this.#next()) {
        await this.#file(unfiled, folder);
        this.#filed = unfiled.seq;
      }
    } catch (error) {
      this.#onError(asError(error));
    }
    this.#running = undefined;
  }

  async #next(): Promise<UnfiledRecord | undefined> {
    await this.#quiet();
    return this.#stopped ? undefined : this.#store.mails.nextUnfiled(this.#filed);
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

  async #file({ seq, draft }: UnfiledRecord, folder: string): Promise<void> {
    try {
      const { mails } = this.#store;
      const unfiled = draft === null ? await this.#readStored(seq) : await composeDraft(draft, this.#signer);
      if (!unfiled) return;
      const { file, email } = unfiled;
      await writeMailFiles(folder, file, email);
      const isKept = this.#store.transaction(() => mails.setFiled(seq, draft === null ? undefined : email.source));
      if (!isKept) await removeMailFiles(folder, file);
    } catch (error) {
      // It is tried again when the service runs again.
      this.#onError(asError(error));
    }
  }

  /** An email that came by SMTP. Undefined if it was deleted meanwhile. */
  async #readStored(seq: number): Promise<Unfiled | undefined> {
    const { mails } = this.#store;
    const file = mails.fileOf(seq);
    const mail = file && mails.findByLogId(file.id);
    if (!mail) return undefined;
    const { source } = mail;
    const { html, text } = await this.#reader.readAccepted(source);
    return { file, email: { source, html, text } };
  }
}

interface Unfiled {
  readonly file: MailFile;
  readonly email: FiledEmail;
}

async function composeDraft(text: string, signer: DkimSigner): Promise<Unfiled> {
  const draft = readDraft(text);
  const { html, text: plain } = draft.message;
  return {
    file: { folder: "sent", id: draft.id },
    email: { source: await composeSource(draft, signer), html, text: plain },
  };
}
