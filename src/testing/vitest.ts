/*
 * Adds the matchers to vitest's expect, with their types, and fails a test that forgets to await `clock.advance`:
 * `setupFiles: ["lettershop/testing/vitest"]`.
 */
import { expect, onTestFinished } from "vitest";
import { type MailMatchers, matchers } from "./assertions.js";
import { endUnawaited, whenCalled } from "./test-clock.js";

declare module "vitest" {
  // oxlint-disable-next-line typescript/no-empty-object-type
  interface Assertion<T> extends MailMatchers<T> {}
}

expect.extend(matchers);

// Not afterEach: with `isolate: false`, this module is loaded once, and its hooks would only apply to the first test
// file.
whenCalled(() => {
  try {
    onTestFinished(({ task }) => {
      // While a concurrent test ends, others may be about to await their calls.
      if (task.concurrent !== true) endUnawaited();
    });
  } catch {
    // Outside of a test, there is nothing to check.
  }
});
