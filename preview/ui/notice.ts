import { messageOf } from "../data/source.js";

/** A temporary notice: shown and announced politely, or only announced. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly kind: "good" | "error" | "silent";
}

let notices: readonly Notice[] = [];
let last = 0;
const listeners = new Set<() => void>();

const set = (next: readonly Notice[]) => {
  notices = next;
  listeners.forEach((listener) => listener());
};

const show = (text: string, kind: Notice["kind"], seconds: number) => {
  const id = ++last;
  set([...notices.filter((notice) => notice.text !== text), { id, text, kind }].slice(-4));
  setTimeout(() => dismiss(id), seconds * 1000);
};

export const notify = (text: string, kind: "good" | "error" = "good"): void =>
  show(text, kind, kind === "error" ? 12 : 4);

export const notifyError = (error: unknown): void => notify(messageOf(error), "error");

/** For changes that are visible anyway. */
export const announce = (text: string): void => show(text, "silent", 4);

export const dismiss = (id: number): void => set(notices.filter((notice) => notice.id !== id));

/** Called once the cause of the errors is gone. */
export const dismissErrors = (): void => set(notices.filter(({ kind }) => kind !== "error"));

export const noticeList = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  current: () => notices,
};
