import { useSyncExternalStore } from "react";
import { useOfProject, useSource } from "../state/data.js";
import { useView } from "../state/view-store.js";
import { notify } from "../ui/notice.js";

/** What was switched here. Not in the address: no link may let others see who opens it. */
interface Switched {
  /** For all emails; until it is switched, it is as the project remembers it. */
  readonly always?: boolean;
  /** The templates and mails that are shown with them, until the page is left. */
  readonly emails: ReadonlySet<string>;
}

let switched: Switched = { emails: new Set() };
const listeners = new Set<() => void>();

export interface RemoteImages {
  /** In the template or the mail that is looked at. */
  readonly areShown: boolean;
  /** In all of them: remembered for the project. */
  readonly areAlwaysShown: boolean;
  /** Shows them in this one until the page is left, or hides them. */
  readonly toggle: () => void;
  /** Absent where they are, and where no server remembers it. */
  readonly showAlways?: () => void;
}

/** Whether images of other hosts are shown. */
export function useRemoteImages(): RemoteImages {
  const { screen, template = "", mail = "" } = useView();
  const email = screen === "inbox" ? `mail ${mail}` : `template ${template}`;
  const remembered = useOfProject((project) => project.remoteImages);
  const { always: areAlwaysShown = remembered, emails } = useSyncExternalStore(subscribe, () => switched);
  const source = useSource();
  const areShown = areAlwaysShown || emails.has(email);
  const setAlways = (always: boolean) => {
    change({ ...switched, always });
    source.setRemoteImages(always).catch((error: unknown) => {
      notify(`Couldn’t save this setting: ${error instanceof Error ? error.message : String(error)}`, "error");
    });
  };
  const toggle = () => {
    const others = [...emails].filter((each) => each !== email);
    change({ ...switched, emails: new Set(areShown ? others : [...others, email]) });
    if (areAlwaysShown) setAlways(false);
  };
  const canRemember = !areAlwaysShown && !source.isCopy;
  return { areShown, areAlwaysShown, toggle, ...(canRemember && { showAlways: () => setAlways(true) }) };
}

function change(next: Switched): void {
  switched = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
