import { useSyncExternalStore } from "react";
import { useOfProject, useSource } from "../state/data.js";
import { useView } from "../state/view-store.js";
import { notify } from "../ui/notice.js";

/** The user's choices. They are not in the URL: a link must not reveal to other hosts who opens it. */
interface Switched {
  /** For all emails. Undefined while the project's stored setting applies. */
  readonly always?: boolean;
  /** Templates and emails shown with remote images until the user leaves the page. */
  readonly emails: ReadonlySet<string>;
}

let switched: Switched = { emails: new Set() };
const listeners = new Set<() => void>();

interface RemoteImages {
  /** In the current template or email. */
  readonly areShown: boolean;
  /** In all templates and emails. This is stored for the project. */
  readonly areAlwaysShown: boolean;
  /** Shows or hides them in the current template or email, until the user leaves the page. */
  readonly toggle: () => void;
  /** Undefined if they are always shown already, or if no server can store the setting. */
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
      notify(`Couldn't save this setting: ${error instanceof Error ? error.message : String(error)}`, "error");
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
