import { later } from "../ui/later.js";

/** Loaded on demand: the editor is most of the page's script, and the first email shows without it. */
export const CodeView = later(async () => (await import("./code-view.js")).CodeView);
