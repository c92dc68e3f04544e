import { later } from "../ui/later.js";

/** Loaded on demand: the editor is most of the page's script, and the first email shows without it. */
export const CodeView = later(async () => (await import("./code-view.js")).CodeView);

let isWanted = false;

/** A request to search code that is not on screen yet: the next code view to open starts with its search bar open. */
export const pendingFind = {
  ask: (): void => {
    isWanted = true;
  },
  take: (): boolean => {
    const was = isWanted;
    isWanted = false;
    return was;
  },
};
