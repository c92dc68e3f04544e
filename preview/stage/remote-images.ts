import { useOfProject, useSource } from "../state/data.js";
import { ObservableStore } from "../state/stores.js";
import { useView } from "../state/view-store.js";
import { failed } from "../ui/notice.js";

/** The user's choices. They are not in the URL: a link must not reveal to other hosts who opens it. */
interface Switched {
  /** For all emails. Undefined while the project's stored setting applies. */
  readonly always?: boolean;
  /** Templates and emails shown with remote images until the user leaves the page. */
  readonly emails: ReadonlySet<string>;
}

const switched = new ObservableStore<Switched>({ emails: new Set() });

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
  const { always: areAlwaysShown = remembered, emails } = switched.use();
  const source = useSource();
  const areShown = areAlwaysShown || emails.has(email);
  const setAlways = (always: boolean) => {
    switched.set({ ...switched.get(), always });
    source.setRemoteImages(always).catch(failed("Couldn't save this setting"));
  };
  const toggle = () => {
    const others = [...emails].filter((each) => each !== email);
    switched.set({ ...switched.get(), emails: new Set(areShown ? others : [...others, email]) });
    if (areAlwaysShown) setAlways(false);
  };
  const canRemember = !areAlwaysShown && source.kind !== "copy";
  return { areShown, areAlwaysShown, toggle, ...(canRemember && { showAlways: () => setAlways(true) }) };
}
