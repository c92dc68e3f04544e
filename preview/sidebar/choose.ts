import type { MouseEvent } from "react";
import { changeView } from "../state/view-store.js";
import type { View } from "../state/view.js";

/** A plain click changes the view. With a modifier key, the browser opens the link elsewhere, as usual. */
export const choose =
  (change: Partial<View>) =>
  (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    changeView(change);
  };
