import type { PreviewAccess } from "../access.js";
import type { PreferenceFile } from "../preferences.js";
import type { Listeners } from "../workspace/listeners.js";
import type { Workspace } from "../workspace/workspace.js";

/** Dependencies of the routes. */
export interface RouteContext {
  readonly workspace: Workspace;
  readonly access: PreviewAccess;
  readonly preferences: PreferenceFile;
  /** Fires when the server shuts down, so that event streams end. */
  readonly ending: Listeners<void>;
}
