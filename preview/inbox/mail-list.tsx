import { CheckCheck, Paperclip, Trash2, Unplug } from "lucide-react";
import type { MailFolder, MailSummary } from "../../src/preview/contract.js";
import { useDataStore, useHasOlderMails, useMails } from "../state/data.js";
import { useView, linkTo } from "../state/view-store.js";
import { Button, IconButton } from "../ui/button.js";
import { notifyError } from "../ui/notice.js";
import { SearchBar } from "../ui/bar.js";
import { Spoken, Visible, visible } from "../ui/text.js";
import { Badge } from "../ui/badge.js";
import { classes } from "../ui/classes.js";
import { ForwardedTo } from "./forwarded-to.js";
import { shortName, shortTime, statusWords, fullTime } from "./format.js";
import { ObservableStore, preferences } from "../state/stores.js";
import styles from "./mail-list.module.css";

export const MailList = ({
  folder,
  mails,
  total,
  query,
  isReachable,
  onQuery,
  onDeleteAll,
}: {
  readonly folder: MailFolder;
  /** The folder's emails that match the query. */
  readonly mails: readonly MailSummary[];
  readonly total: number;
  readonly query: string;
  readonly isReachable: boolean;
  readonly onQuery: (query: string) => void;
  readonly onDeleteAll: () => Promise<void>;
}) => {
  const { mail: chosen } = useView();
  const unread = useUnread(folder);
  const store = useDataStore();
  const hasOlder = useHasOlderMails(folder) && isReachable;
  return (
    <>
      <SearchBar
        type="search"
        aria-label="Filter emails"
        placeholder="Address or subject"
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onQuery("");
        }}
      >
        <IconButton
          icon={CheckCheck}
          label="Mark all as read"
          keys="shift+r"
          disabled={unread.size === 0}
          onClick={() => markRead([...unread])}
        />
        <IconButton
          icon={Trash2}
          label="Delete all emails"
          disabled={!isReachable}
          onClick={() => void onDeleteAll()}
        />
      </SearchBar>
      {!isReachable && (
        <p className={styles.away}>
          <Unplug size={14} aria-hidden /> The local service isn't running. This is what it received before.
        </p>
      )}
      <ul className={styles.list}>
        {mails.map((mail) => (
          <li key={mail.id}>
            <MailRow mail={mail} isChosen={mail.id === chosen} isUnread={unread.has(mail.id)} />
          </li>
        ))}
      </ul>
      {hasOlder && (
        <div className={styles.more}>
          <Button onClick={() => void store.readOlderMails(folder).catch(notifyError)}>Show older emails</Button>
        </div>
      )}
      {mails.length === 0 && <p className={styles.none}>None of the {total} emails match.</p>}
      <Spoken>
        <span role="status">{query.trim() !== "" && `${mails.length} of ${total} emails`}</span>
      </Spoken>
    </>
  );
};

/** An email in the list. It is a link, so that it can be opened in a new tab. */
const MailRow = ({
  mail: { id, from, to, subject, sentAt, status, attachmentCount, receivedBy },
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
      {...linkTo({ screen: "inbox", mail: id })}
      aria-current={isChosen ? "true" : undefined}
      className={classes(styles.row, isUnread && styles.unread)}
    >
      <span className={styles.first}>
        {isUnread && <Spoken>Unread: </Spoken>}
        {receivedBy === undefined ? (
          <span className={styles.to} title={visible(to.join(", "))}>
            <Visible text={to.map(shortName).join(", ")} />
          </span>
        ) : (
          <span className={classes(styles.to, styles.way)} title={visible(`${receivedBy} → ${to.join()}`)}>
            <ForwardedTo receivedBy={receivedBy} destination={to.join()} />
          </span>
        )}
        <time dateTime={sentAt} title={fullTime(sentAt)} className="figure">
          {shortTime(sentAt)}
        </time>
      </span>
      <span className={styles.subject} title={visible(subject)}>
        <Visible text={subject === "" ? "(no subject)" : subject} />
      </span>
      <span className={styles.last}>
        <span className={styles.from} title={visible(from)}>
          <Visible text={from === "" ? "(no sender)" : from} />
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

/** Maximum number of ids that are remembered; more than the inbox lists. */
const most = 500;

const readIds = new ObservableStore<ReadonlySet<string>>(
  new Set((preferences.read("read-mails") ?? "").split(" ").filter(Boolean)),
);

export const markRead = (ids: readonly string[]): void => {
  const known = readIds.get();
  if (ids.every((id) => known.has(id))) return;
  const all = [...known, ...ids].slice(-most);
  preferences.write("read-mails", all.join(" "));
  readIds.set(new Set(all));
};

/** Ids of emails, of one folder or of all, that have not been opened in this browser. */
export const useUnread = (of?: MailFolder): ReadonlySet<string> => {
  const opened = readIds.use();
  const isUnread = ({ id, folder }: MailSummary) => (of === undefined || folder === of) && !opened.has(id);
  return new Set(useMails().flatMap((mail) => (isUnread(mail) ? [mail.id] : [])));
};
