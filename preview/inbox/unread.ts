import { useSyncExternalStore } from "react";
import { useMails } from "../state/data.js";
import { kept } from "../state/kept.js";

/** Maximum number of ids that are remembered; more than the inbox lists. */
const most = 500;

let read: ReadonlySet<string> = new Set((kept.read("read-mails") ?? "").split(" ").filter(Boolean));
const listeners = new Set<() => void>();

export const markRead = (ids: readonly string[]): void => {
  if (ids.every((id) => read.has(id))) return;
  read = new Set([...read, ...ids].slice(-most));
  kept.write("read-mails", [...read].join(" "));
  listeners.forEach((listener) => listener());
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const useRead = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => read);

/** Ids of emails that have not been opened in this browser. */
export const useUnread = (): ReadonlySet<string> => {
  const opened = useRead();
  return new Set(useMails().flatMap(({ id }) => (opened.has(id) ? [] : [id])));
};
