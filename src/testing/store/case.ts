import type { MailStore } from "../../send/store/store.js";

/** One thing that a store of mails has to keep to. */
export interface StoreCase {
  /** What it keeps to, as a sentence. */
  readonly name: string;
  /** @throws {AssertionError} It does not. */
  readonly run: () => Promise<void>;
}

export interface StoreUnderTest {
  /** Opens an empty store. Each case opens its own, and closes it. */
  readonly open: () => Promise<MailStore>;
}
