import type { PreviewAccess } from "../access.js";
import type { PreferenceFile } from "../preferences.js";
import type { Listeners } from "../workspace/listeners.js";
import type { Workspace } from "../workspace/workspace.js";

/** What the routes work with. */
export interface RouteContext {
  readonly workspace: Workspace;
  readonly access: PreviewAccess;
  readonly preferences: PreferenceFile;
  /** Told when the server ends, to whom it keeps telling something. */
  readonly ending: Listeners<void>;
}
