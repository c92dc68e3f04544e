import { ConfigurationError } from "../../errors.js";
import { StoreError } from "./store-error.js";
import type { MailStore } from "./store.js";

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
    return async (...args: unknown[]): Promise<unknown> => {
      try {
        return await Reflect.apply(value, part, args);
      } catch (error) {
        throw asStoreError(error, `${name}.${String(method)}`);
      }
    };
  };
  // Every method of a part returns a promise.
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
