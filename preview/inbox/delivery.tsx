import type { MailDetail, MailRecipient } from "../../src/preview/contract.js";
import { Badge } from "../ui/badge.js";
import { classes } from "../ui/classes.js";
import styles from "./delivery.module.css";
import { eventTime, isUnderWay, statusWords } from "./format.js";

/** The email's delivery events, for each recipient. */
export const Delivery = ({ mail: { recipients, sentAt } }: { readonly mail: MailDetail }) => (
  <div className={styles.place} tabIndex={0} role="region" aria-label="Delivery">
    {recipients.map((recipient) => (
      <Course key={recipient.email} recipient={recipient} sentAt={sentAt} />
    ))}
  </div>
);

const Course = ({ recipient, sentAt }: { readonly recipient: MailRecipient; readonly sentAt: string }) => {
  const { email, status, events } = recipient;
  const { label, tone } = statusWords(status);
  return (
    <section className={styles.course}>
      <h3>
        {email}
        <Badge tone={tone}>{label}</Badge>
      </h3>
      <ol className={styles.events}>
        {events.map((event, index) => {
          const words = statusWords(event.status);
          return (
            <li key={index} className={classes(styles.event, styles[words.tone])}>
              <span className={styles.what}>{words.event}</span>
              <time dateTime={event.at}>{eventTime(event.at, sentAt)}</time>
              {event.detail !== undefined && <code>{event.detail}</code>}
            </li>
          );
        })}
        {isUnderWay(status) && <li className={classes(styles.event, styles.coming)}>More to come</li>}
      </ol>
    </section>
  );
};
