import type { OutboundEmail } from "../../api/resources/emails.js";
import type { Clock } from "../clock.js";
import { ConfigurationError } from "../../errors.js";
import type { Problem } from "../errors.js";
import type { Publish } from "../events.js";
import { emailOf } from "../parcel.js";
import { statusInWords } from "./message-status.js";
import type { LoggedMail } from "../delivery/delivery-log.js";
import { replyInWords } from "./replies.js";
import type { Suppression, SuppressionStore } from "../store/store.js";

/** Addresses that get no more mail. */
export interface Suppressions {
  /** The latest first. */
  list(): Promise<readonly Suppression[]>;
  /**
   * Stops all mail to an address, in any case.
   *
   * @example
   * await mailer.suppressions.add("ada@example.com", "asked to");
   *
   * @param reason For people who look at it later. Default: `added by hand`.
   */
  add(email: string, reason?: string): Promise<void>;
  /**
   * Allows mail to an address again, until its next hard bounce. Returns false if it was not suppressed.
   *
   * @example
   * await mailer.suppressions.remove("ada@example.com");
   */
  remove(email: string): Promise<boolean>;
}

/** Implements a mailer's `suppressions`. */
export function suppressionsOf(store: SuppressionStore, clock: Pick<Clock, "time">): Suppressions {
  return {
    list: () => store.list(),
    async add(email, reason = "added by hand") {
      if (!/^\S+@\S+$/.test(email)) throw new ConfigurationError("The value to suppress is not an email address.");
      await store.add({ email, reason, since: clock.time() });
    },
    remove: (email) => store.remove(email),
  };
}

/** Returns a problem for each suppressed recipient. */
export async function checkSuppressed(
  recipients: readonly { readonly path: string; readonly email: string }[],
  store: SuppressionStore,
): Promise<readonly Problem[]> {
  const suppressions = await store.find(recipients.map(({ email }) => email));
  const byEmail = new Map(suppressions.map((suppression) => [suppression.email, suppression]));
  return recipients.flatMap(({ path, email }) => {
    const suppression = byEmail.get(email.toLowerCase());
    if (suppression === undefined) return [];
    const day = new Date(suppression.since).toISOString().slice(0, 10);
    return { path, message: `is suppressed since ${day}: ${suppression.reason}` };
  });
}

/** The same for an email in the service's format. */
export function checkEmail({ to, cc, bcc }: OutboundEmail, store: SuppressionStore): Promise<readonly Problem[]> {
  const recipients = Object.entries({ to, cc, bcc }).flatMap(([field, addresses = []]) =>
    [addresses].flat().map((address, index) => {
      const path = typeof addresses === "string" ? field : `${field}[${index}]`;
      return { path, email: emailOf(address.trim()) };
    }),
  );
  return checkSuppressed(recipients, store);
}

/** Suppresses the recipients whose entries show a hard bounce. */
export async function suppressBounced(
  mails: readonly LoggedMail[],
  store: SuppressionStore,
  publish: Publish,
): Promise<void> {
  for (const { recipient, events } of mails) {
    const bounce = events.findLast(({ status }) => status === "HARD-BOUNCE");
    if (bounce === undefined) continue;
    const reason = statusInWords(bounce.status, replyInWords(bounce));
    const isNew = await store.add({ email: recipient, reason, since: bounce.at, event: bounce.id });
    if (isNew) publish({ type: "suppressed", reason });
  }
}
