import { Spoken, Visible } from "../ui/text.js";

/** Which address received an email, and where it was forwarded to. */
export const ForwardedTo = ({
  receivedBy,
  destination,
}: {
  readonly receivedBy: string;
  readonly destination: string;
}) => (
  <>
    <Visible text={receivedBy} /> <span aria-hidden>→</span>
    <Spoken>forwarded to</Spoken> <Visible text={destination} />
  </>
);
