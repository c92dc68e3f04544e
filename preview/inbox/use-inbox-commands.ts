import type { MailSummary } from "../../src/preview/contract.js";
import { type Command, useCommands } from "../palette/commands.js";
import { useIsInboxReachable } from "../state/data.js";
import { changeView, useView } from "../state/view-store.js";
import { markRead, useUnread } from "./unread.js";
import type { Deletion } from "./use-deletion.js";

const group = "Inbox";

/** Commands to move through the listed emails and to delete them. */
export const useInboxCommands = (mails: readonly MailSummary[], { deleteOne, deleteAll }: Deletion): void => {
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
  useCommands([
    { id: "next-mail", title: "Next email", group, keys: "j", run: () => go(at + 1) },
    { id: "previous-mail", title: "Previous email", group, keys: "k", run: () => go(at < 0 ? 0 : at - 1) },
    {
      id: "read-mail",
      title: "Move focus to the email",
      group,
      keys: "enter",
      run: () => (at < 0 ? go(0) : document.getElementById("mail")?.focus()),
    },
    {
      id: "mark-read",
      title: "Mark all emails as read",
      group,
      keys: "shift+r",
      run: () => markRead([...unread]),
    },
    ...(isReachable && mail !== undefined ? [deleteShown(() => void deleteOne(mail))] : []),
    ...(isReachable && mails.length > 0
      ? [{ id: "delete-all-mails", title: "Delete all emails…", group, run: () => void deleteAll.ask() }]
      : []),
  ]);
};

const deleteShown = (run: () => void): Command => ({
  id: "delete-mail",
  title: "Delete the email",
  group,
  keys: "delete",
  runsOnce: true,
  run,
});
