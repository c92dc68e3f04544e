import { useProject, useSource } from "../state/data.js";
import { notify } from "../ui/notice.js";
import { changeSettings, useSettings } from "./settings.js";

/** Whether images of other hosts are shown: remembered for the project, where there is a server to remember it. */
export function useRemoteImages(): { readonly areShown: boolean; readonly toggle: () => void } {
  const { remoteImages } = useProject();
  const { showsRemoteImages = remoteImages } = useSettings();
  const source = useSource();
  const toggle = () => {
    const shown = !showsRemoteImages;
    changeSettings({ showsRemoteImages: shown });
    source.setRemoteImages(shown).catch((error: unknown) => {
      notify(`This is not remembered: ${error instanceof Error ? error.message : String(error)}`, "error");
    });
  };
  return { areShown: showsRemoteImages, toggle };
}
