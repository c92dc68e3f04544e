import { useEffect, useState } from "react";
import { keepsDirection } from "../email/keeps-direction.js";
import type { Pane } from "../state/view.js";

/** What a reader of the pane could take for a fault of the email. */
export interface EmailNotes {
  /** Remote images that are not loaded. */
  readonly missingImages: number;
  /** It was to run from right to left, and does not. */
  readonly keepsDirection: boolean;
}

const none: EmailNotes = { missingImages: 0, keepsDirection: false };

export interface ShownInPane {
  readonly email: Document;
  readonly withheldImages: number;
}

export function useEmailNotes(shown: ShownInPane | undefined, { isRightToLeft, areImagesBlocked }: Pane): EmailNotes {
  const [notes, setNotes] = useState(none);
  useEffect(() => {
    if (!shown) return;
    const missingImages = areImagesBlocked ? 0 : shown.withheldImages;
    setNotes({ missingImages, keepsDirection: isRightToLeft && keepsDirection(shown.email) });
  }, [shown, areImagesBlocked, isRightToLeft]);
  return notes;
}
