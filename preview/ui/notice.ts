import { messageOf } from "../data/source.js";
import { ObservableStore } from "../state/stores.js";

/** A temporary notice: shown and announced politely, or only announced. */
interface Notice {
  readonly id: number;
  readonly text: string;
  readonly kind: "good" | "error" | "silent";
}

const notices = new ObservableStore<readonly Notice[]>([]);
let last = 0;

const show = (text: string, kind: Notice["kind"], seconds: number) => {
  const id = ++last;
  notices.set([...notices.get().filter((notice) => notice.text !== text), { id, text, kind }].slice(-4));
  setTimeout(() => dismiss(id), seconds * 1000);
};

export const useNotices = (): readonly Notice[] => notices.use();

export const notify = (text: string, kind: "good" | "error" = "good"): void =>
  show(text, kind, kind === "error" ? 12 : 4);

export const notifyError = (error: unknown): void => notify(messageOf(error), "error");

/** Notifies the user that something failed: for the `catch` of a promise. */
export const failed =
  (what: string) =>
  (error: unknown): void =>
    notify(`${what}: ${messageOf(error)}`, "error");

/** For changes that are visible anyway. */
export const announce = (text: string): void => show(text, "silent", 4);

export const dismiss = (id: number): void => notices.set(notices.get().filter((notice) => notice.id !== id));

/** Called once the cause of the errors is gone. */
export const dismissErrors = (): void => notices.set(notices.get().filter(({ kind }) => kind !== "error"));
