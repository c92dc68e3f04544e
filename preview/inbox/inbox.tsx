import { ArrowLeft, Trash2 } from "lucide-react";
import { useState } from "react";
import { useIsNarrow } from "../state/window.js";
import { counted } from "../state/counts.js";
import { matcherOf } from "../palette/match.js";
import { useAreMailsKnown, useDataStore, useIsInboxReachable, useMails, useOfProject } from "../state/data.js";
import type { InboxFolder } from "../state/view.js";
import { Outbox } from "./outbox.js";
import { ListAreas } from "./list-areas.js";
import { useListCommands } from "./use-list-commands.js";
import { changeView, openFolder, useView } from "../state/view-store.js";
import { Bar } from "../ui/bar.js";
import { Button } from "../ui/button.js";
import { FormDialog } from "../ui/dialog.js";
import { MailList, markRead, useUnread } from "./mail-list.js";
import { MailView } from "./mail-view.js";
import { NoMail, NoMailSelected } from "./no-mail.js";
import { MAIL_FOLDERS, type MailFolder, type MailSummary } from "../../src/preview/contract.js";
import { inGroup, useCommands } from "../palette/commands.js";
import { announce, notifyError } from "../ui/notice.js";
import { Badge } from "../ui/badge.js";
import { Tabs, tabPanel } from "../ui/tabs.js";
import { Spoken } from "../ui/text.js";

type Deletion = ReturnType<typeof useDeletion>;

/** Deletes emails from the local service. After one email is deleted, the next one in the list is shown. */
const useDeletion = (folder: MailFolder, mails: readonly MailSummary[]) => {
  const store = useDataStore();
  const { mail: shown } = useView();
  const [count, setCount] = useState<number>();

  const remove = async (deletion: Promise<void>, next: string | undefined, announcement: string) => {
    changeView({ mail: next }, "replace");
    keepFocus(next);
    try {
      await deletion;
      announce(announcement);
    } catch (error) {
      changeView({ mail: shown }, "replace");
      notifyError(error);
    }
  };

  return {
    deleteOne: (id: string): Promise<void> => {
      const at = mails.findIndex((mail) => mail.id === id);
      const next = mails[at + 1] ?? mails[at - 1];
      return remove(store.deleteMail(id), next?.id, "Email deleted");
    },
    deleteAll: {
      /** Number of emails in the confirmation. Undefined while it is closed. */
      count,
      ask: () => store.source.mailCount(folder).then(setCount, notifyError),
      cancel: () => setCount(undefined),
      confirm: () => {
        setCount(undefined);
        return remove(store.deleteAllMails(folder), undefined, `All ${folder} emails deleted`);
      },
    },
  };
};

/** Moves the focus, because the focused element may be gone with the email. */
const keepFocus = (next: string | undefined): void => {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    (document.getElementById(`mail-${next}`) ?? document.querySelector<HTMLElement>("main"))?.focus();
  });
};

/** Commands to move through the listed emails and to delete them. */
const useInboxCommands = (
  folder: MailFolder,
  mails: readonly MailSummary[],
  { deleteOne, deleteAll }: Deletion,
): void => {
  const { mail } = useView();
  const unread = useUnread(folder);
  const isReachable = useIsInboxReachable();
  const steps = useListCommands(
    mails.map(({ id }) => id),
    "email",
  );
  useCommands(
    inGroup("Inbox", [
      ...steps,
      { id: "mark-read", title: "Mark all emails as read", keys: "shift+r", run: () => markRead([...unread]) },
      isReachable &&
        mail !== undefined && {
          id: "delete-mail",
          title: "Delete the email",
          keys: "delete",
          runsOnce: true,
          run: () => void deleteOne(mail),
        },
      isReachable &&
        mails.length > 0 && { id: "delete-all-mails", title: "Delete all emails…", run: () => void deleteAll.ask() },
    ]),
  );
};

/** The local service's captured emails and the outbox: the folders, and the list and the open email of one folder. */
export const InboxPage = () => {
  const { folder: wanted = "sent", mail } = useView();
  const { seeOutbox } = useOfProject(({ can }) => can);
  const folder = wanted === "outbox" && !seeOutbox ? "sent" : wanted;
  const isMailAlone = useIsNarrow() && mail !== undefined;
  return (
    <>
      <Bar>
        {isMailAlone ? (
          <Button kind="quiet" icon={ArrowLeft} onClick={() => changeView({ mail: undefined })}>
            {folder === "outbox" ? "All messages" : "All emails"}
          </Button>
        ) : (
          <Folders chosen={folder} hasOutbox={seeOutbox} />
        )}
      </Bar>
      <div {...(isMailAlone ? {} : tabPanel("folder", folder))} className="fill">
        {folder === "outbox" ? <Outbox /> : <Folder key={folder} folder={folder} />}
      </div>
    </>
  );
};

const folderNames: Readonly<Record<InboxFolder, string>> = { sent: "Sent", forwarded: "Forwarded", outbox: "Outbox" };

const Folders = ({ chosen, hasOutbox }: { readonly chosen: InboxFolder; readonly hasOutbox: boolean }) => {
  const unread = { sent: useUnread("sent").size, forwarded: useUnread("forwarded").size, outbox: 0 };
  const folders: readonly InboxFolder[] = hasOutbox ? [...MAIL_FOLDERS, "outbox"] : MAIL_FOLDERS;
  return (
    <Tabs
      base="folder"
      label="Folders"
      tabs={folders.map((id) => ({ id, label: folderNames[id] }))}
      value={chosen}
      onChange={openFolder}
    >
      {({ id }) =>
        unread[id] > 0 && (
          <Badge tone="accent">
            {unread[id]}
            <Spoken> unread</Spoken>
          </Badge>
        )
      }
    </Tabs>
  );
};

const Folder = ({ folder }: { readonly folder: MailFolder }) => {
  const { mail: opened } = useView();
  const mails = useMails().filter((mail) => mail.folder === folder);
  const areKnown = useAreMailsKnown();
  const isReachable = useIsInboxReachable();
  const [query, setQuery] = useState("");
  const matches = matcherOf(query);
  const shownMails = mails.filter(({ from, to, subject, receivedBy = "" }) =>
    matches(from, ...to, subject, receivedBy),
  );
  const deletion = useDeletion(folder, shownMails);
  useInboxCommands(folder, shownMails, deletion);
  return (
    <>
      {mails.length === 0 ? (
        (areKnown || !isReachable) && <NoMail folder={folder} />
      ) : (
        <ListAreas
          label="Emails"
          shown={opened !== undefined && <MailView key={opened} id={opened} onDelete={deletion.deleteOne} />}
          none={<NoMailSelected />}
        >
          <MailList
            folder={folder}
            mails={shownMails}
            query={query}
            total={mails.length}
            isReachable={isReachable}
            onQuery={setQuery}
            onDeleteAll={deletion.deleteAll.ask}
          />
        </ListAreas>
      )}
      <DeleteAll folder={folder} {...deletion.deleteAll} />
    </>
  );
};

const DeleteAll = ({ folder, count, cancel, confirm }: Deletion["deleteAll"] & { readonly folder: MailFolder }) =>
  count !== undefined && (
    <FormDialog
      title={`Delete ${count === 1 ? "" : "all "}${counted(count, `${folder} email`)}?`}
      submit={{ label: "Delete", icon: Trash2, isDisabled: false }}
      onSubmit={() => void confirm()}
      onClose={cancel}
    >
      <p>This deletes every email in this folder, with its attachments, from the local service. It can't be undone.</p>
    </FormDialog>
  );
