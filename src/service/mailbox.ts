/** A sender or recipient of an email. */
export interface Mailbox {
  readonly email: string;
  readonly name: string | null;
}
