import { useEffect, useState } from "react";
import { keepsDirection } from "../email/keeps-direction.js";
import type { Pane } from "../state/view.js";

/** Effects of the pane's settings that could be mistaken for a bug in the email. */
export interface EmailNotes {
  /** Number of remote images that are not loaded. */
  readonly missingImages: number;
  /** Whether the email sets its own text direction, so that it is not mirrored. */
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
