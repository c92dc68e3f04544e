import { z } from "zod";
import { formatDate, type Place } from "../_shared/format.js";

const welcome = z.object({
  name: z.string().describe("How to address the new customer."),
  workspace: z.object({
    name: z.string(),
    url: z.url({ protocol: /^https?$/ }).describe("Where the workspace opens, signed in or not."),
  }),
  trialEndsAt: z.iso.datetime({ offset: true }).optional().describe("Left out for an account without a trial."),
});

export default welcome;

export function derive({ trialEndsAt }: z.infer<typeof welcome>, place: Place) {
  return { trial: trialEndsAt === undefined ? null : { endsOn: formatDate(trialEndsAt, place) } };
}
