import { useState } from "react";
import type { MailSummary } from "../../src/preview/contract.js";
import { useDataStore } from "../state/data.js";
import { changeView, useView } from "../state/view-store.js";
import { announce, notify } from "../ui/notice.js";

export interface Deletion {
  readonly deleteOne: (id: string) => Promise<void>;
  readonly deleteAll: {
    /** Number of emails in the confirmation. Undefined while it is closed. */
    readonly count?: number;
    readonly ask: () => Promise<void>;
    readonly cancel: () => void;
    readonly confirm: () => Promise<void>;
  };
}

/** Deletes emails from the local service. After one email is deleted, the next one in the list is shown. */
export const useDeletion = (mails: readonly MailSummary[]): Deletion => {
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
      notify(messageOf(error), "error");
    }
  };

  return {
    deleteOne: (id) => {
      const at = mails.findIndex((mail) => mail.id === id);
      const next = mails[at + 1] ?? mails[at - 1];
      return remove(store.deleteMail(id), next?.id, "Email deleted");
    },
    deleteAll: {
      ...(count !== undefined && { count }),
      ask: () => store.source.mailCount().then(setCount, (error: unknown) => notify(messageOf(error), "error")),
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

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
