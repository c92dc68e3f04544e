import { emailOf } from "../message/addresses.js";
import type { Parcel } from "./parcel.js";

/** The people in an email, as bare addresses in lower case, sorted: case and display names make no difference. */
export interface People {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: readonly string[];
}

export function peopleOf({ to, cc, bcc, reply_to }: Parcel["email"]): People {
  return { to: bareAddresses(to), cc: bareAddresses(cc), bcc: bareAddresses(bcc), replyTo: bareAddresses(reply_to) };
}

/** All recipients, once each: the delivery log has one entry for each. */
export function recipientsOf({ to, cc, bcc }: People): readonly string[] {
  if (to.length === 1 && cc.length + bcc.length === 0) return to;
  return [...new Set([...to, ...cc, ...bcc])].toSorted();
}

function bareAddresses(field: string | readonly string[] | undefined): readonly string[] {
  if (field === undefined) return [];
  const addresses = typeof field === "string" ? [field] : field;
  return addresses.map((address) => emailOf(address.trim()).toLowerCase()).sort();
}
