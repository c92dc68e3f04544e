import { z } from "zod";
import { formatDuration, type Place } from "../_shared/format.js";
import { request, requestFacts } from "../_shared/request.js";

const passwordReset = z.object({
  name: z.string().describe("How to address the account's owner."),
  email: z.email().describe("The address of the account whose password is to be reset."),
  resetUrl: z.url({ protocol: /^https?$/ }).describe("Works once, and for `validMinutes`."),
  validMinutes: z.int().positive().describe("How long the link works."),
  request,
});

export default passwordReset;

export type Props = z.infer<typeof passwordReset> & ReturnType<typeof derive>;

export function derive(variables: z.infer<typeof passwordReset>, place: Place) {
  return {
    validFor: formatDuration(variables.validMinutes, place.locale),
    facts: requestFacts(variables.request, place),
  };
}
