import { emailOf } from "../message/addresses.js";
import type { Parcel } from "./parcel.js";

/** Who is named in a mail, as bare addresses in lower case, in order: neither case nor a display name makes somebody else. */
export interface People {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: readonly string[];
}

export function peopleOf({ to, cc, bcc, reply_to }: Parcel["email"]): People {
  return { to: bareAddresses(to), cc: bareAddresses(cc), bcc: bareAddresses(bcc), replyTo: bareAddresses(reply_to) };
}

/** Everybody who gets the mail, once: what the delivery log has an entry for each. */
export function recipientsOf({ to, cc, bcc }: People): readonly string[] {
  if (to.length === 1 && cc.length + bcc.length === 0) return to;
  return [...new Set([...to, ...cc, ...bcc])].toSorted();
}

function bareAddresses(field: string | readonly string[] | undefined): readonly string[] {
  if (field === undefined) return [];
  const addresses = typeof field === "string" ? [field] : field;
  return addresses.map((address) => emailOf(address.trim()).toLowerCase()).sort();
}
