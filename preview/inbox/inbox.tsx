import { ArrowLeft, Inbox as InboxIcon, MailOpen, Send, Trash2, Unplug } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Group, Panel, Separator } from "react-resizable-panels";
import { useIsNarrow, useKeptSize } from "../state/window.js";
import { counted } from "../state/counts.js";
import { matcherOf } from "../palette/match.js";
import {
  useAreMailsKnown,
  useDataStore,
  useIsInboxReachable,
  useMails,
  useOfProject,
  useOtherService,
  useSource,
} from "../state/data.js";
import { changeView, useView } from "../state/view-store.js";
import { Bar } from "../ui/bar.js";
import { Button } from "../ui/button.js";
import { FormDialog } from "../ui/dialog.js";
import { MailList, markRead, useUnread } from "./mail-list.js";
import { MailView, type MailViewProps } from "./mail-view.js";
import type { MailSummary } from "../../src/preview/contract.js";
import { currentCommands, inGroup, useCommands } from "../palette/commands.js";
import { announce, notifyError } from "../ui/notice.js";
import { EmptyState, FirstSteps } from "../ui/empty-state.js";
import { KeyHint } from "../ui/keys.js";

type Deletion = ReturnType<typeof useDeletion>;

/** Deletes emails from the local service. After one email is deleted, the next one in the list is shown. */
const useDeletion = (mails: readonly MailSummary[]) => {
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
      ask: () => store.source.mailCount().then(setCount, notifyError),
      cancel: () => setCount(undefined),
      confirm: () => {
        setCount(undefined);
        return remove(store.deleteAllMails(), undefined, "All emails deleted");
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
const useInboxCommands = (mails: readonly MailSummary[], { deleteOne, deleteAll }: Deletion): void => {
  const { mail } = useView();
  const unread = useUnread();
  const isReachable = useIsInboxReachable();
  const at = mails.findIndex(({ id }) => id === mail);
  const go = (to: number) => {
    const next = mails[Math.max(0, Math.min(mails.length - 1, to))];
    if (!next) return;
    changeView({ mail: next.id }, "replace");
    document.getElementById(`mail-${next.id}`)?.scrollIntoView({ block: "nearest" });
  };
  const read = () => (at < 0 ? go(0) : document.getElementById("mail")?.focus());
  useCommands(
    inGroup("Inbox", [
      { id: "next-mail", title: "Next email", keys: "j", run: () => go(at + 1) },
      { id: "previous-mail", title: "Previous email", keys: "k", run: () => go(at < 0 ? 0 : at - 1) },
      { id: "read-mail", title: "Move focus to the email", keys: "enter", run: read },
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

/** The local service's captured emails: the list and the open email. */
export const InboxPage = () => {
  const mails = useMails();
  const areKnown = useAreMailsKnown();
  const isReachable = useIsInboxReachable();
  const [query, setQuery] = useState("");
  const matches = matcherOf(query);
  const shownMails = mails.filter(({ from, to, subject }) => matches(from, ...to, subject));
  const deletion = useDeletion(shownMails);
  useInboxCommands(shownMails, deletion);
  return (
    <>
      {mails.length === 0 ? (
        (areKnown || !isReachable) && <NoMail isReachable={isReachable} />
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

const DeleteAll = ({ count, cancel, confirm }: Deletion["deleteAll"]) =>
  count !== undefined && (
    <FormDialog
      title={`Delete ${count === 1 ? "" : "all "}${counted(count, "email")}?`}
      submit={{ label: "Delete", icon: Trash2, isDisabled: false }}
      onSubmit={() => void confirm()}
      onClose={cancel}
    >
      <p>This deletes every email in the local service and its attachments. It can't be undone.</p>
    </FormDialog>
  );

/** The list next to the email, or only one of them on narrow screens. */
const Areas = ({ onDelete, children }: Pick<MailViewProps, "onDelete"> & { readonly children: ReactNode }) => {
  const { mail } = useView();
  const { keep, ...list } = useKeptSize("inbox", 344);
  const isNarrow = useIsNarrow();
  const all = (
    <section aria-label="Emails" className="panel">
      {children}
    </section>
  );
  const shown = mail !== undefined && <MailView key={mail} id={mail} onDelete={onDelete} />;
  if (isNarrow && !shown) return all;
  if (isNarrow)
    return (
      <div className="fill">
        <Bar>
          <Button kind="quiet" icon={ArrowLeft} onClick={() => changeView({ mail: undefined })}>
            All emails
          </Button>
        </Bar>
        {shown}
      </div>
    );
  return (
    <Group onLayoutChanged={(_, { isUserInteraction }) => isUserInteraction && keep()}>
      <Panel {...list} minSize={248} maxSize={560}>
        {all}
      </Panel>
      <Separator aria-label="Email list width" />
      <Panel id="mail" minSize={320}>
        {shown || <NoMailSelected />}
      </Panel>
    </Group>
  );
};

const start = { what: "Start it", line: "npx templates dev" };
const send = [
  { what: "Send to it from your application", line: "LETTERSHOP_ENV=local" },
  { what: "Send to it from the command line", line: "npx templates send NAME --to ada@example.com" },
];

/** Shown while the inbox is empty: how to send the first email to it. */
export const NoMail = ({ isReachable }: { readonly isReachable: boolean }) => {
  const other = useOtherService();
  const { kind } = useSource();
  const can = useOfProject((project) => project.can);
  const isEmpty = useOfProject(({ templates }) => templates.length === 0);
  const sendTest = () =>
    currentCommands()
      .find(({ id }) => id === "send-test")
      ?.run();
  return (
    <FirstSteps
      icon={isReachable ? InboxIcon : Unplug}
      title={
        isReachable
          ? "No emails yet"
          : other
            ? "This project's local service isn't running"
            : "The local service isn't running"
      }
      about={
        isReachable
          ? "Emails that your application sends to the local service appear here right away. None of them leaves this machine."
          : "It replaces the email service during development and stores every email it receives. Once it's running, its emails appear here."
      }
      steps={isReachable ? send : [start, ...send]}
    >
      {other && !isReachable && (
        <p>
          The service at <code>{other.url}</code> belongs to another project, so its emails aren't shown here:{" "}
          <code>{other.project}</code>
        </p>
      )}
      {can.send && !isEmpty && (
        <div>
          <Button icon={Send} kind="primary" onClick={sendTest}>
            Send a test
          </Button>
        </div>
      )}
      <p>
        In any other language, use its API:{" "}
        {kind === "local-service" ? (
          <>
            the URL is <code>{window.location.origin}</code>
          </>
        ) : (
          <>
            <code>templates dev</code> prints the URL
          </>
        )}
        ; the key is <code>local</code>, the domain <code>example.test</code>.
      </p>
    </FirstSteps>
  );
};

/** Shown next to the list while no email is selected. */
export const NoMailSelected = () => (
  <div className="page">
    <EmptyState icon={MailOpen} title="No email selected">
      Select one from the list, or press <KeyHint keys="j" /> for the next one.
    </EmptyState>
  </div>
);
