import type { StoredMessage } from "../../send/store/outbox.js";
import { maskAddress, maskAddresses } from "../mask.js";

/** Whether to show full addresses or mask them. */
export interface Showing {
  readonly addresses: boolean;
}

/** `a…@example.com +2`; `-` if the message's contents are no longer stored. */
export function recipientsOf({ email }: StoredMessage, showing: Showing): string {
  if (email === undefined) return "-";
  const [first, ...others] = addressesOf(email, showing);
  return others.length === 0 ? `${first}` : `${first} +${others.length}`;
}

/** Describes a message without its contents. */
export function describeMessage(message: StoredMessage, target: string, showing: Showing): Record<string, unknown> {
  const { email, key, queuedAt, sendAt, expiresAt, changedAt, target: _, reason, ...rest } = message;
  return {
    ...rest,
    for: target,
    ...(key === undefined ? {} : { key: showing.addresses ? key : maskAddresses(key) }),
    ...(reason === undefined ? {} : { reason: maskAddresses(reason) }),
    queuedAt: new Date(queuedAt),
    sendAt: new Date(sendAt),
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt) }),
    changedAt: new Date(changedAt),
    ...(email === undefined
      ? {}
      : {
          from: email.from,
          recipients: addressesOf(email, showing),
          variables: Object.keys(email.variables ?? {}),
          attachments: email.attachments?.length ?? 0,
        }),
  };
}

function addressesOf({ to, cc = [], bcc = [] }: NonNullable<StoredMessage["email"]>, { addresses }: Showing): string[] {
  const all = [to, cc, bcc].flat();
  return addresses ? all : all.map(maskAddress);
}
