import { emailOf } from "../message/addresses.js";
import type { Parcel } from "./parcel.js";

/** Everybody who gets the mail, once, as bare addresses in lower case: what the delivery log has an entry for each. */
export function recipientsOf({ to, cc, bcc }: Pick<Parcel["email"], "to" | "cc" | "bcc">): readonly string[] {
  if (cc === undefined && bcc === undefined && typeof to === "string") return bareAddresses(to);
  return [...new Set([to, cc, bcc].flatMap(bareAddresses))].toSorted();
}

/** One field's, in order: neither case nor a display name makes another recipient. */
export function bareAddresses(field: string | readonly string[] | undefined): readonly string[] {
  if (field === undefined) return [];
  const addresses = typeof field === "string" ? [field] : field;
  return addresses.map((address) => emailOf(address.trim()).toLowerCase()).toSorted();
}
