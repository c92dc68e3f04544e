import { types } from "node:util";
import { checkNames } from "../send/option-names.js";
import { checkValue } from "./check-value.js";
import type { Expectation } from "./expectation.js";
import { FIELDS, fieldsOf } from "./expected-fields.js";

const KEYS: Readonly<Record<keyof Expectation, unknown>> = { ...FIELDS, where: true, times: true };

/** What other tools call a key. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  email: "did you mean to?",
  recipient: "did you mean to?",
  recipients: "did you mean to?",
  sender: "did you mean from?",
  body: "did you mean html or text?",
  data: "did you mean variables?",
  vars: "did you mean variables?",
  count: "did you mean times?",
  predicate: "did you mean where?",
  template: "it is the argument before this one",
};

/**
 * Refuses an expectation that would be ignored, or that nothing can match. With `.not`, either would make a test pass.
 *
 * @param caller The function or matcher that was called.
 * @throws {ConfigurationError} It has a misspelt key, or a value of the wrong type.
 */
export function checkExpectation(caller: string, expected: unknown): asserts expected is Expectation {
  checkNames(caller, expected, KEYS, { elsewhere: ELSEWHERE });
  for (const { field, value } of fieldsOf(expected)) field.check(caller, value);
  if ("where" in expected) {
    const { where } = expected;
    const isPredicate = typeof where === "function" && !types.isAsyncFunction(where);
    checkValue(caller, "where", where, isPredicate, "a function that returns true or false, not a promise");
  }
  if ("times" in expected) {
    const { times } = expected;
    checkValue(caller, "times", times, Number.isSafeInteger(times) && Number(times) >= 0, "a whole number, 0 or more");
  }
}
