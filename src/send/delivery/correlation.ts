import type { Parcel } from "./parcel.js";

/** The address that only this parcel's mail goes to, where there is to be one. */
export function correlationOf(
  id: string,
  { correlation, domain }: { readonly correlation: string | undefined; readonly domain: string },
): string | undefined {
  return correlation === undefined ? undefined : `${correlation}+${id}@${domain}`;
}

/** The mail with that address among those who are hidden from the others. */
export function withCorrelation(email: Parcel["email"], address: string | undefined): Parcel["email"] {
  if (address === undefined) return email;
  const { bcc = [] } = email;
  return { ...email, bcc: [...(typeof bcc === "string" ? [bcc] : bcc), address] };
}
