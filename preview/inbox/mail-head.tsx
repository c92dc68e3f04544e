import { PencilRuler, Trash2 } from "lucide-react";
import type { MailDetail } from "../../src/preview/contract.js";
import { Badge } from "../ui/badge.js";
import { Button, IconButton } from "../ui/button.js";
import { Visible } from "../ui/text.js";
import { ForwardedTo } from "./forwarded-to.js";
import { parseAddress, statusWords, fullTime } from "./format.js";
import { useProject, useTemplate } from "../state/data.js";
import { changeView } from "../state/view-store.js";
import { passedVariables } from "../variables/input.js";
import styles from "./mail-head.module.css";

/** The headers that email clients show above an email. */
export const MailHead = ({
  mail,
  canDelete,
  onDelete,
}: {
  readonly mail: MailDetail;
  readonly canDelete: boolean;
  readonly onDelete: () => void;
}) => {
  const { subject, from, to, cc, bcc, replyTo, receivedBy, recipients, sentAt, template } = mail;
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <h2>
          <Visible text={subject === "" ? "(no subject)" : subject} />
        </h2>
        <IconButton icon={Trash2} label="Delete" keys="delete" disabled={!canDelete} onClick={onDelete} />
        {template && <OpenTemplate template={template} />}
      </div>
      <dl className={styles.lines}>
        <Line name="From" addresses={[from]} />
        <Line name="To" addresses={to} />
        <Line name="Cc" addresses={cc} />
        <Line name="Bcc" addresses={bcc} />
        <Line name="Reply-To" addresses={replyTo} />
        {receivedBy !== undefined && (
          <>
            <dt>Forwarded</dt>
            <dd>
              <ForwardedTo receivedBy={receivedBy} destination={recipients.map(({ email }) => email).join()} />
            </dd>
          </>
        )}
        <dt>{receivedBy === undefined ? "Sent" : "Received"}</dt>
        <dd className={styles.sent}>
          <time dateTime={sentAt}>{fullTime(sentAt)}</time>
          <Statuses mail={mail} />
        </dd>
      </dl>
    </header>
  );
};

/** The email's status in one line. With several recipients: how many have each status. */
const Statuses = ({ mail: { recipients } }: { readonly mail: MailDetail }) => {
  const counts = new Map<string, number>();
  for (const { status } of recipients) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => {
    const { label, tone } = statusWords(status);
    return (
      <Badge key={status} tone={tone}>
        {recipients.length === 1 ? label : `${count} ${label.toLowerCase()}`}
      </Badge>
    );
  });
};

const Line = ({ name, addresses }: { readonly name: string; readonly addresses: readonly string[] }) =>
  addresses.length > 0 && (
    <>
      <dt>{name}</dt>
      <dd>
        {addresses.map((address, index) => {
          const { name: displayName, email } = parseAddress(address);
          return (
            <span key={index} className={styles.address}>
              {displayName && (
                <b>
                  <Visible text={displayName} />
                </b>
              )}{" "}
              <Visible text={email} />
              {index < addresses.length - 1 && ","}
            </span>
          );
        })}
      </dd>
    </>
  );

/** Opens the email's template, with the variables that the email was sent with. */
const OpenTemplate = ({ template }: { readonly template: NonNullable<MailDetail["template"]> }) => {
  const { templates } = useProject();
  const { name, variables } = template;
  const isHere = templates.some((each) => each.name === name);
  const { detail } = useTemplate(isHere ? name : undefined);
  if (!isHere) return <span title="This template isn't in this project">{name}</span>;
  const contract = detail?.name === name ? detail.compiled?.contract : undefined;
  const open = () =>
    changeView({
      screen: "template",
      template: name,
      fixture: undefined,
      ...(contract && { edited: JSON.stringify(passedVariables(contract, variables)) }),
    });
  return (
    <Button icon={PencilRuler} title="Open the template with the variables this email was sent with" onClick={open}>
      Open {name}
    </Button>
  );
};
