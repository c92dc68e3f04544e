/**
 * The page on which designers work: every template with every fixture, live. The command `templates preview` is all that
 * most need; this is what it is made of.
 *
 * @example
 * import { startPreview } from "lettershop/preview";
 *
 * const preview = await startPreview({ project, port: 4690 });
 * preview.url; // "http://127.0.0.1:4690/"
 * await preview.close();
 *
 * @module
 */
export type { PreviewAccess, ProjectAccess } from "./server/access.js";
export { type PreviewOptions, type RunningPreview, startPreview } from "./server/start.js";
