/*
 * Adds the matchers to vitest's expect, with their types, and fails a test that forgets to await `clock.advance`:
 * `setupFiles: ["lettershop/testing/vitest"]`.
 */
import { afterEach, expect } from "vitest";
import { type MailMatchers, matchers } from "./matchers.js";
import { endUnawaited } from "./unawaited.js";

declare module "vitest" {
  // oxlint-disable-next-line typescript/no-empty-object-type
  interface Assertion<T> extends MailMatchers<T> {}
}

expect.extend(matchers);

afterEach(({ task }) => {
  // While a concurrent test ends, others may be about to await theirs.
  if (task.concurrent !== true) endUnawaited();
});
