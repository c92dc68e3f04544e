/** Someone who sends or gets a mail. */
export interface Mailbox {
  readonly email: string;
  readonly name: string | null;
}
