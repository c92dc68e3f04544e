import { z } from "zod";
import { formatDuration, type Place } from "../_shared/format.js";
import { request, requestFacts } from "../_shared/request.js";

const signInCode = z.object({
  code: z
    .string()
    .regex(/^[0-9A-Z]{4,8}$/)
    .describe("The code as it is to be typed."),
  validMinutes: z.int().positive().describe("How long the code works."),
  email: z.email().describe("The address of the account."),
  request,
});

export default signInCode;

export function derive(variables: z.infer<typeof signInCode>, place: Place) {
  return {
    validFor: formatDuration(variables.validMinutes, place.locale),
    facts: requestFacts(variables.request, place),
  };
}
