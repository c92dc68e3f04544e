import { useEffect, useState } from "react";
import { keepsDirection } from "../email/keeps-direction.js";
import { remoteImagesIn } from "../email/remote-images-in.js";
import type { Pane } from "../state/view.js";

/** What a reader of the pane could take for a fault of the email. */
export interface EmailNotes {
  /** Remote images that are not loaded. */
  readonly missingImages: number;
  /** It was to run from right to left, and does not. */
  readonly keepsDirection: boolean;
}

const none: EmailNotes = { missingImages: 0, keepsDirection: false };

export function useEmailNotes(
  shown: { readonly email: Document } | undefined,
  { isRightToLeft, areImagesBlocked }: Pane,
  showsRemoteImages: boolean,
): EmailNotes {
  const [notes, setNotes] = useState(none);
  const looksForImages = !showsRemoteImages && !areImagesBlocked;
  useEffect(() => {
    if (!shown) return;
    const missingImages = looksForImages ? remoteImagesIn(shown.email) : 0;
    setNotes({ missingImages, keepsDirection: isRightToLeft && keepsDirection(shown.email) });
  }, [shown, looksForImages, isRightToLeft]);
  return notes;
}
