import { MailOpen } from "lucide-react";
import { type ReactNode } from "react";
import type { OutboxMessageDetail } from "../../src/preview/contract.js";
import { fullTime, relativeTime } from "./format.js";
import { folderView, linkTo } from "../state/view-store.js";
import { Badge } from "../ui/badge.js";
import { CopyCode, CopyLine } from "../ui/copy.js";
import { EmptyState } from "../ui/empty-state.js";
import { MessageText, Visible } from "../ui/text.js";
import head from "./mail-head.module.css";
import { stateWords } from "./message-states.js";
import { type KnownOutbox, useMessage } from "./use-outbox.js";
import styles from "./outbox.module.css";

/** Everything about a message except for its contents, and the commands that change it. */
export const MessageView = ({ id, known }: { readonly id: string; readonly known: KnownOutbox }) => {
  const { message, trouble } = useMessage(id, known);
  if (!message)
    return trouble === undefined ? null : (
      <div className="page">
        <EmptyState title="Couldn't read this message">
          <MessageText text={trouble} />
        </EmptyState>
      </div>
    );
  const { template, state, mail } = message;
  const { label, tone, meaning } = stateWords(state);
  return (
    <article id="mail" tabIndex={-1} aria-label={template ?? "Message"} className={styles.message}>
      <header className={styles.head}>
        <h2 className="across">
          {template === undefined ? "No template" : <Visible text={template} />}
          <Badge tone={tone}>{label}</Badge>
        </h2>
        <p className="soft">{meaning}</p>
        {mail !== undefined && (
          <p>
            <a {...linkTo({ ...folderView("sent"), mail })} className={styles.received}>
              <MailOpen size={16} aria-hidden />
              Show the received email
            </a>
          </p>
        )}
      </header>
      <Facts message={message} />
      <Commands message={message} />
    </article>
  );
};

const Facts = ({ message }: { readonly message: OutboxMessageDetail }) => {
  const { id, state, key, reason, attempts, priority, onUnknown, sent, direct, hasContents } = message;
  const { queuedAt, sendAt, changedAt, expiresAt, from, recipients = [], variables = [], attachments = 0 } = message;
  const { label } = stateWords(state);
  return (
    <dl className={head.lines}>
      {reason !== undefined && (
        <Fact name="Reason">
          <Visible text={reason} />
        </Fact>
      )}
      <Fact name="Queued">
        <Times at={queuedAt} />
      </Fact>
      {state === "queued" && (
        <Fact name="Due">
          <Times at={sendAt} />
        </Fact>
      )}
      {changedAt !== queuedAt && (
        <Fact name={state === "queued" ? "Queued again" : label}>
          <Times at={changedAt} />
        </Fact>
      )}
      {expiresAt !== undefined && (
        <Fact name="Expires">
          <Times at={expiresAt} />
        </Fact>
      )}
      <Fact name="Attempts">{attempts}</Fact>
      <Fact name="ID">
        <Code text={id} />
      </Fact>
      {key !== undefined && (
        <Fact name="Key">
          <Code text={key} />
        </Fact>
      )}
      {sent && (
        <>
          <Fact name="Message-ID">
            <Code text={sent.messageId} />
          </Fact>
          {sent.id !== sent.messageId && (
            <Fact name="Log entry">
              <Code text={sent.id} />
            </Fact>
          )}
        </>
      )}
      <Fact name="For">
        <Visible text={message.for.replace(" ", ", ")} />
      </Fact>
      {from !== undefined && (
        <Fact name="From">
          <Visible text={from} />
        </Fact>
      )}
      {recipients.length > 0 && (
        <Fact name="Recipients">
          <Visible text={recipients.join(", ")} />
        </Fact>
      )}
      {variables.length > 0 && (
        <Fact name="Variables">
          <Visible text={variables.join(", ")} />
        </Fact>
      )}
      {attachments > 0 && <Fact name="Attachments">{attachments}</Fact>}
      <Fact name="Contents">{hasContents ? "Stored, but not shown here" : "Deleted"}</Fact>
      <Fact name="Priority">{priority}</Fact>
      <Fact name="If unknown">{onUnknown === "resend" ? "sent again" : "parked"}</Fact>
      {direct && <Fact name="Sent by">a call of send, not a worker</Fact>}
    </dl>
  );
};

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

const Times = ({ at }: { readonly at: string }) => (
  <>
    <time dateTime={at}>{relativeTime(at)}</time> <span className="soft">{fullTime(at)}</span>
  </>
);

const Code = ({ text }: { readonly text: string }) => (
  <>
    <code>
      <Visible text={text} />
    </code>{" "}
    <CopyCode code={text} />
  </>
);

/** The page changes nothing, because whoever can open it should not be able to send. */
const Commands = ({ message: { id, state, hasContents } }: { readonly message: OutboxMessageDetail }) => {
  const { canRetry, canDiscard } = stateWords(state);
  const commands = [
    canRetry && hasContents && { what: "Queue it again", line: `npx templates outbox retry ${id}` },
    canDiscard && { what: "Discard it", line: `npx templates outbox discard ${id}` },
    hasContents && { what: "Show full addresses", line: `npx templates outbox show ${id} --show-addresses` },
  ].filter((command) => command !== undefined && command !== false);
  return (
    commands.length > 0 && (
      <section className={styles.commands}>
        <h3>Commands</h3>
        {commands.map(({ what, line }) => (
          <div key={line}>
            <span className="soft">{what}</span>
            <CopyLine line={line} what="Command" />
          </div>
        ))}
        <p className="small">
          Commands also need the store: set <code>LETTERSHOP_STORE</code> or add <code>--store</code>.
        </p>
      </section>
    )
  );
};
