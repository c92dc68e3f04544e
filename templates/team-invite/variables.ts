import { z } from "zod";
import { formatDate, type Place } from "../_shared/format.js";

const teamInvite = z.object({
  inviter: z.object({ name: z.string(), email: z.email() }).describe("The member who sends the invitation."),
  team: z.string().describe("The team's name."),
  role: z.string().describe("What the invited person may do, such as: Editor."),
  message: z.string().optional().describe("A personal note from the inviter; a line break begins a new paragraph."),
  inviteUrl: z.url({ protocol: /^https?$/ }).describe("Works once, until `expiresAt`."),
  expiresAt: z.iso.datetime({ offset: true }).describe("When the invitation runs out."),
});

export default teamInvite;

export type Props = z.infer<typeof teamInvite> & ReturnType<typeof derive>;

export function derive({ message = "", expiresAt }: z.infer<typeof teamInvite>, place: Place) {
  return {
    messageParagraphs: message.split(/\s*\n\s*/).filter((paragraph) => paragraph !== ""),
    expiresOn: formatDate(expiresAt, place),
  };
}
