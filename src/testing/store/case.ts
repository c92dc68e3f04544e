import type { MailStore } from "../../send/store/store.js";

/** One requirement for a mail store. */
export interface StoreCase {
  /** The requirement, as a sentence. */
  readonly name: string;
  /** @throws {AssertionError} The store does not meet it. */
  readonly run: () => Promise<void>;
}

export interface StoreUnderTest {
  /** Opens an empty store. Each case opens its own, and closes it. */
  readonly open: () => Promise<MailStore>;
}
