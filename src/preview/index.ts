/**
 * The preview page for designers: every template with every fixture, live. Most projects only need the command
 * `templates preview`, which is built from these functions.
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
export type { PreviewAccess, ProjectAccess } from "./server/preview-access.js";
export { type PreviewOptions, type RunningPreview, startPreview } from "./server/start.js";
