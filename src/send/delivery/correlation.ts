import type { Parcel } from "./parcel.js";

/** The address that only this parcel's email goes to, if correlation is on. */
export function correlationOf(
  id: string,
  { correlation, domain }: { readonly correlation: string | undefined; readonly domain: string },
): string | undefined {
  return correlation === undefined ? undefined : `${correlation}+${id}@${domain}`;
}

/** The email with that address as one more blind copy. */
export function withCorrelation(email: Parcel["email"], address: string | undefined): Parcel["email"] {
  if (address === undefined) return email;
  const { bcc = [] } = email;
  return { ...email, bcc: [...(typeof bcc === "string" ? [bcc] : bcc), address] };
}
