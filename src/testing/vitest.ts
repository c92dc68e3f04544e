/*
 * Adds the matchers to vitest's expect, with their types: `setupFiles: ["lettershop/testing/vitest"]`.
 */
import { expect } from "vitest";
import { type MailMatchers, matchers } from "./matchers.js";

declare module "vitest" {
  // oxlint-disable-next-line typescript/no-empty-object-type
  interface Assertion<T> extends MailMatchers<T> {}
}

expect.extend(matchers);
