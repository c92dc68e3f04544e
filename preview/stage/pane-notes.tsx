import { ImageOff, type LucideIcon, PilcrowLeft } from "lucide-react";
import { classes } from "../ui/classes.js";
import { Spoken } from "../ui/spoken.js";
import styles from "./pane-notes.module.css";
import { useRemoteImages } from "./remote-images.js";
import type { EmailNotes } from "./use-email-notes.js";

/** Notes in the pane's bar, where they don't move the email. */
export function PaneNotes({ missingImages, keepsDirection }: EmailNotes) {
  const remote = useRemoteImages();
  const images = missingImages === 1 ? "1 remote image" : `${missingImages} remote images`;
  return (
    <div className={styles.notes}>
      {keepsDirection && <Note icon={PilcrowLeft}>The body sets its own direction, so it isn't mirrored</Note>}
      {missingImages > 0 && (
        <>
          <Note icon={ImageOff}>{`${images} not loaded`}</Note>
          <button
            type="button"
            className={styles.show}
            title="In this template, until you leave the page"
            onClick={remote.toggle}
          >
            Show<Spoken> remote images</Spoken>
          </button>
          {remote.showAlways && (
            <button
              type="button"
              className={classes(styles.show, styles.always)}
              title="In all templates, remembered for this project"
              onClick={remote.showAlways}
            >
              Always show<Spoken> remote images</Spoken>
            </button>
          )}
        </>
      )}
    </div>
  );
}

function Note({ icon: Icon, children }: { readonly icon: LucideIcon; readonly children: string }) {
  return (
    <span className={styles.note} title={children}>
      <Icon size={14} aria-hidden />
      <span className={styles.words}>{children}</span>
    </span>
  );
}
