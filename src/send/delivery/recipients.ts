import { emailOf } from "../message/addresses.js";
import type { Parcel } from "./parcel.js";

/** Everybody who gets the mail, once, as bare addresses in lower case: what the delivery log has an entry for each. */
export function recipientsOf({ to, cc, bcc }: Pick<Parcel["email"], "to" | "cc" | "bcc">): readonly string[] {
  const all = [...bareAddresses(to), ...bareAddresses(cc), ...bareAddresses(bcc)];
  return all.length === 1 ? all : [...new Set(all)].toSorted();
}

/** One field's, in order: neither case nor a display name makes another recipient. */
export function bareAddresses(field: string | readonly string[] | undefined): readonly string[] {
  if (field === undefined) return [];
  const addresses = typeof field === "string" ? [field] : field;
  return addresses.map((address) => emailOf(address.trim()).toLowerCase()).sort();
}
