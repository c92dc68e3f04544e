import type { StoreCase, StoreUnderTest } from "./case.js";
import { ledgerCases } from "./ledger.js";
import { outboxCases } from "./outbox.js";
import { paceCases } from "./pace.js";
import { suppressionCases } from "./suppressions.js";

/**
 * The requirements for a `MailStore`, for any test framework.
 *
 * @example
 * for (const { name, run } of testMailStore({ open: () => openMyStore() })) test(name, run);
 */
export function testMailStore(store: StoreUnderTest): readonly StoreCase[] {
  return [paceCases, ledgerCases, suppressionCases, outboxCases].flatMap((casesOf) => casesOf(store));
}
