import { z } from "zod";
import { formatDateTime, type Place } from "./format.js";

/** Where a request came from, for the emails that ask "was it you?". */
export const request = z
  .object({
    at: z.iso.datetime({ offset: true }).describe("When it was made."),
    device: z.string().optional().describe("Such as: Firefox on Linux."),
    place: z.string().optional().describe("Such as: near Leeds, United Kingdom."),
  })
  .describe("Where the request came from, as far as it is known.");

/** What is known about a request, ready to print. */
export function requestFacts({ at, device, place }: z.infer<typeof request>, where: Place) {
  const facts = [{ label: "Time", value: formatDateTime(at, where) }];
  if (device !== undefined) facts.push({ label: "Device", value: device });
  if (place !== undefined) facts.push({ label: "Place", value: place });
  return facts;
}
