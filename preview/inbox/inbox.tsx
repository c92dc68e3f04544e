import { ArrowLeft, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Group, Panel, Separator } from "react-resizable-panels";
import { useKeptSize } from "../shell/use-kept-size.js";
import { useIsNarrow } from "../shell/use-narrow.js";
import { counted } from "../state/counts.js";
import { useIsInboxReachable, useMails } from "../state/data.js";
import { changeView, useView } from "../state/view-store.js";
import { Bar } from "../ui/bar.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import styles from "./inbox.module.css";
import { MailList } from "./mail-list.js";
import { MailView, type MailViewProps } from "./mail-view.js";
import { NoMail, NothingChosen } from "./no-mail.js";
import { type Deletion, useDeletion } from "./use-deletion.js";
import { useInboxCommands } from "./use-inbox-commands.js";

/** The local service's captured emails: the list and the open email. */
export const Inbox = () => {
  const mails = useMails();
  const isReachable = useIsInboxReachable();
  const [query, setQuery] = useState("");
  const shownMails = mails.filter((each) => matches(each, query));
  const deletion = useDeletion(shownMails);
  useInboxCommands(shownMails, deletion);
  return (
    <>
      {mails.length === 0 ? (
        <NoMail isReachable={isReachable} />
      ) : (
        <Areas onDelete={deletion.deleteOne}>
          <MailList
            mails={shownMails}
            query={query}
            total={mails.length}
            isReachable={isReachable}
            onQuery={setQuery}
            onDeleteAll={deletion.deleteAll.ask}
          />
        </Areas>
      )}
      <DeleteAll {...deletion.deleteAll} />
    </>
  );
};

/** Asks for confirmation before all emails are deleted. */
const DeleteAll = ({ count, cancel, confirm }: Deletion["deleteAll"]) => (
  <Dialog
    title={`Delete ${count === 1 ? "" : "all "}${counted(count ?? 0, "email")}?`}
    isOpen={count !== undefined}
    size="narrow"
    onClose={cancel}
    footer={
      <>
        <Button onClick={cancel}>Cancel</Button>
        <Button kind="primary" icon={Trash2} onClick={() => void confirm()}>
          Delete
        </Button>
      </>
    }
  >
    <p>This deletes every email in the local service and its attachments. It can't be undone.</p>
  </Dialog>
);

/** The list next to the email, or only one of them on narrow screens. */
const Areas = ({ onDelete, children }: Pick<MailViewProps, "onDelete"> & { readonly children: ReactNode }) => {
  const { mail } = useView();
  const list = useKeptSize("inbox", 344);
  const isNarrow = useIsNarrow();
  const all = (
    <section aria-label="Emails" className={styles.list}>
      {children}
    </section>
  );
  const shown = mail !== undefined && <MailView key={mail} id={mail} onDelete={onDelete} />;
  if (isNarrow) return shown ? <MailAlone>{shown}</MailAlone> : all;
  return (
    <Group className={styles.areas} onLayoutChanged={(_, { isUserInteraction }) => isUserInteraction && list.keep()}>
      <Panel
        id="mails"
        panelRef={list.panelRef}
        defaultSize={list.defaultSize}
        minSize={248}
        maxSize={560}
        groupResizeBehavior="preserve-pixel-size"
      >
        {all}
      </Panel>
      <Separator className={styles.upright} aria-label="Email list width" />
      <Panel id="mail" minSize={320}>
        {shown || <NothingChosen />}
      </Panel>
    </Group>
  );
};

const MailAlone = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.alone}>
    <Bar>
      <Button kind="quiet" icon={ArrowLeft} onClick={() => changeView({ mail: undefined })}>
        All emails
      </Button>
    </Bar>
    <div className={styles.mail}>{children}</div>
  </div>
);

const matches = ({ from, to, subject }: { from: string; to: readonly string[]; subject: string }, query: string) => {
  const text = [from, ...to, subject].join("\n").toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
