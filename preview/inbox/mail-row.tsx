import { Paperclip } from "lucide-react";
import type { MailSummary } from "../../src/preview/contract.js";
import { addressOf, changeView } from "../state/view-store.js";
import { Badge } from "../ui/badge.js";
import { classes } from "../ui/classes.js";
import { Spoken, Visible, visible } from "../ui/text.js";
import { shortName, shortTime, statusWords, wholeTime } from "./format.js";
import styles from "./mail-row.module.css";

/** An email in the list. It is a link, so that it can be opened in a new tab. */
export const MailRow = ({
  mail: { id, from, to, subject, sentAt, status, attachmentCount },
  isChosen,
  isUnread,
}: {
  readonly mail: MailSummary;
  readonly isChosen: boolean;
  readonly isUnread: boolean;
}) => {
  const { label, tone } = statusWords(status);
  return (
    <a
      id={`mail-${id}`}
      href={addressOf({ screen: "inbox", mail: id })}
      aria-current={isChosen ? "true" : undefined}
      className={classes(styles.row, isUnread && styles.unread)}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        changeView({ mail: id });
      }}
    >
      <span className={styles.first}>
        {isUnread && <Spoken>Unread: </Spoken>}
        <span className={styles.to} title={visible(to.join(", "))}>
          <Visible text={to.map(shortName).join(", ")} />
        </span>
        <time dateTime={sentAt} title={wholeTime(sentAt)} className={styles.time}>
          {shortTime(sentAt)}
        </time>
      </span>
      <span className={styles.subject} title={visible(subject)}>
        <Visible text={subject === "" ? "(no subject)" : subject} />
      </span>
      <span className={styles.last}>
        <span className={styles.from} title={visible(from)}>
          <Visible text={from} />
        </span>
        {attachmentCount > 0 && (
          <span className={styles.files}>
            <Paperclip size={12} aria-hidden />
            {attachmentCount}
            <Spoken>{attachmentCount === 1 ? " attachment" : " attachments"}</Spoken>
          </span>
        )}
        {tone === "good" ? <Spoken>{label}</Spoken> : <Badge tone={tone}>{label}</Badge>}
      </span>
    </a>
  );
};
