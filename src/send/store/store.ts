import type { Ledger } from "./ledger.js";
import type { OutboxStore } from "./outbox.js";
import type { PaceStore } from "./pace.js";
import { ConfigurationError } from "../../errors.js";
import { StoreError } from "../errors.js";

/**
 * Everything that a mailer stores, as interfaces that a custom store can implement. `testMailStore` from
 * `lettershop/testing` verifies an implementation.
 */
export interface MailStore {
  readonly pace: PaceStore;
  readonly ledger: Ledger;
  readonly suppressions: SuppressionStore;
  /** Absent if nothing outlives the process. */
  readonly outbox?: OutboxStore;
  close(): Promise<void>;
}

/** Why an address gets no more mail. */
export interface Suppression {
  /** In lower case. */
  readonly email: string;
  /** A phrase without addresses: `hard-bounced (no such mailbox)`. */
  readonly reason: string;
  /** Milliseconds since 1970; for a bounce, when it happened by the service's clock. */
  readonly since: number;
  /** The id of the bounce's event; absent for manual additions. */
  readonly event?: string;
}

/**
 * Addresses that get no more mail. They are stored in clear, because people need to look at them. Case does not matter.
 * `suppressionCases` from `lettershop/testing` verifies an implementation.
 */
export interface SuppressionStore {
  /** The suppressed ones among the addresses. */
  find(emails: readonly string[]): Promise<readonly Suppression[]>;
  /**
   * Adds a suppression; a newer bounce replaces an older one. A manual addition, without an event, always counts. A
   * bounce counts only if it is later than the last reason for this address, removed or not, or a different event of
   * the same time. Returns true if the address was not suppressed before and is now.
   */
  add(suppression: Suppression): Promise<boolean>;
  /** Removes an address permanently: the same bounce does not add it again. Returns false if it was not suppressed. */
  remove(email: string): Promise<boolean>;
  /** The latest first. */
  list(): Promise<readonly Suppression[]>;
}

/** Wraps a store so that whatever it throws becomes a StoreError: a custom store may throw anything. */
export function guarded(store: MailStore): MailStore {
  const { pace, ledger, suppressions, outbox } = store;
  return {
    pace: guardedPart(pace, "pace"),
    ledger: guardedPart(ledger, "ledger"),
    suppressions: guardedPart(suppressions, "suppressions"),
    ...(outbox && { outbox: guardedPart(outbox, "outbox") }),
    close: () => store.close(),
  };
}

function guardedPart<Part extends object>(part: Part, name: string): Part {
  const methods = new Map<string | symbol, unknown>();
  const guard = (method: string | symbol): unknown => {
    const value: unknown = Reflect.get(part, method);
    if (typeof value !== "function") return value;
    if (method === "watch") return (...args: unknown[]): unknown => Reflect.apply(value, part, args);
    return async (...args: unknown[]): Promise<unknown> => {
      try {
        return await Reflect.apply(value, part, args);
      } catch (error) {
        throw asStoreError(error, `${name}.${String(method)}`);
      }
    };
  };
  // Every other method of a part returns a promise.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return new Proxy({} as Part, {
    get(_, method) {
      if (!methods.has(method)) methods.set(method, guard(method));
      return methods.get(method);
    },
  });
}

/** The error's own message may contain personal data, so it is only in `cause`. */
function asStoreError(error: unknown, call: string): unknown {
  if (error instanceof StoreError || error instanceof ConfigurationError) return error;
  return new StoreError(`The mailer's store failed: ${call} threw an error.`, {
    cause: error,
    hint: "See the error's `cause`.",
  });
}
