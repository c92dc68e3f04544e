import { later } from "../ui/later.js";

/** The editor behind it is most of the page's script, and the first email shows without it. */
export const CodeView = later(async () => (await import("./code-view.js")).CodeView);
