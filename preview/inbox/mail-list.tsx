import { CheckCheck, Trash2, Unplug } from "lucide-react";
import type { MailSummary } from "../../src/preview/contract.js";
import { useView } from "../state/view-store.js";
import { IconButton } from "../ui/button.js";
import { SearchBar } from "../ui/bar.js";
import { Spoken } from "../ui/text.js";
import { MailRow } from "./mail-row.js";
import { markRead, useUnread } from "./unread.js";
import styles from "./mail-list.module.css";

export const MailList = ({
  mails,
  total,
  query,
  isReachable,
  onQuery,
  onDeleteAll,
}: {
  /** The emails that match the query. */
  readonly mails: readonly MailSummary[];
  readonly total: number;
  readonly query: string;
  readonly isReachable: boolean;
  readonly onQuery: (query: string) => void;
  readonly onDeleteAll: () => Promise<void>;
}) => {
  const { mail: chosen } = useView();
  const unread = useUnread();
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
      {mails.length === 0 && <p className={styles.none}>None of the {total} emails match.</p>}
      <Spoken>
        <span role="status">{query.trim() !== "" && `${mails.length} of ${total} emails`}</span>
      </Spoken>
    </>
  );
};
