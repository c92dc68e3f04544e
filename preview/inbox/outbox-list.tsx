import type { DescribedMessage } from "../../src/preview/contract.js";
import { fullTime, relativeTime } from "./format.js";
import { counted } from "../state/counts.js";
import { linkTo, useView } from "../state/view-store.js";
import { Badge } from "../ui/badge.js";
import { Visible, visible } from "../ui/text.js";
import rows from "./mail-list.module.css";
import { stateWords } from "./message-states.js";
import styles from "./outbox.module.css";

export const MessageList = ({
  messages,
  hasTargets,
}: {
  readonly messages: readonly DescribedMessage[];
  /** Whether they are for several services or domains. */
  readonly hasTargets: boolean;
}) => {
  const { mail: chosen } = useView();
  return (
    <ul className={rows.list}>
      {messages.map((message) => (
        <li key={message.id}>
          <MessageRow message={message} hasTarget={hasTargets} isChosen={message.id === chosen} />
        </li>
      ))}
    </ul>
  );
};

/** A message in the list. It is a link, so that it can be opened in a new tab. */
const MessageRow = ({
  message: { id, state, template, key, queuedAt, sendAt, attempts, reason, for: target },
  hasTarget,
  isChosen,
}: {
  readonly message: DescribedMessage;
  readonly hasTarget: boolean;
  readonly isChosen: boolean;
}) => {
  const { label, tone } = stateWords(state);
  const isWaiting = state === "queued" && Date.parse(sendAt) > Date.now();
  const about = [isWaiting && `due ${relativeTime(sendAt)}`, reason].filter(Boolean).join(": ");
  return (
    <a
      id={`mail-${id}`}
      {...linkTo({ screen: "inbox", mail: id })}
      aria-current={isChosen ? "true" : undefined}
      className={rows.row}
    >
      <span className={rows.first}>
        <span className={rows.to}>{template === undefined ? "No template" : <Visible text={template} />}</span>
        <time dateTime={queuedAt} title={`Queued ${fullTime(queuedAt)}`} className="figure">
          {relativeTime(queuedAt)}
        </time>
      </span>
      <span className={styles.second}>
        <span className={styles.key} title={key === undefined ? id : visible(key)}>
          <Visible text={key ?? id} />
        </span>
        <span className={styles.end}>
          {attempts > 0 && <span className="figure">{counted(attempts, "attempt")}</span>}
          <Badge tone={tone}>{label}</Badge>
        </span>
      </span>
      {hasTarget && (
        <span className="cut soft" title={target}>
          <Visible text={target.replace(" ", ", ")} />
        </span>
      )}
      {about !== "" && (
        <span className="cut soft" title={visible(about)}>
          <Visible text={about} />
        </span>
      )}
    </a>
  );
};
