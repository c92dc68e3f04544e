import { useSyncExternalStore } from "react";
import { useOfProject, useSource } from "../state/data.js";
import { notify } from "../ui/notice.js";

/** What was switched here; until then it is as the project remembers it. Not in the address: no link may let others see who opens it. */
let switched: boolean | undefined;
const listeners = new Set<() => void>();

/** Whether images of other hosts are shown: remembered for the project, where there is a server to remember it. */
export function useRemoteImages(): { readonly areShown: boolean; readonly toggle: () => void } {
  const remembered = useOfProject((project) => project.remoteImages);
  const areShown = useSyncExternalStore(subscribe, () => switched) ?? remembered;
  const source = useSource();
  const toggle = () => {
    switched = !areShown;
    for (const listener of listeners) listener();
    source.setRemoteImages(switched).catch((error: unknown) => {
      notify(`Couldn’t save this setting: ${error instanceof Error ? error.message : String(error)}`, "error");
    });
  };
  return { areShown, toggle };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
