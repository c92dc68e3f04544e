import type { MouseEvent } from "react";
import { changeView } from "../state/view-store.js";
import type { View } from "../state/view.js";

/** A link's click changes the view; with a modifier the browser opens the link elsewhere, as links do. */
export const choose =
  (change: Partial<View>) =>
  (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    changeView(change);
  };
