/*
 * Adds the matchers to Jest's expect, with their types, and fails a test that forgets to await `clock.advance`:
 * `setupFilesAfterEnv: ["lettershop/testing/jest"]`.
 */
// A module must be known before its types can be extended.
// oxlint-disable-next-line import/no-empty-named-blocks, unicorn/require-module-specifiers
import type {} from "expect";
import { type MailMatchers, matchers } from "./assertions.js";
import { endUnawaited } from "./test-clock.js";

/** For `import { expect } from "@jest/globals"`. */
declare module "expect" {
  // oxlint-disable-next-line typescript/no-empty-object-type
  interface Matchers<R extends void | Promise<void>, T = unknown> extends MailMatchers<T, R> {}
}

/** For the globals of @types/jest. */
declare global {
  namespace jest {
    // oxlint-disable-next-line typescript/no-empty-object-type
    interface Matchers<R, T = {}> extends MailMatchers<T, R> {}
  }
}

declare const expect: { extend(added: typeof matchers): void };
declare const afterEach: (hook: () => void) => void;

expect.extend(matchers);
afterEach(() => endUnawaited());
