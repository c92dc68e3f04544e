import { TOKEN } from "../../mustache/tokens.js";
import { nearest } from "../../nearest.js";
import type { MjmlLibrary } from "./library.js";

/** Elements that MJML reads without a component of their own; their attributes are the user's to name. */
const WITHOUT_COMPONENT: readonly string[] = ["mjml", "mj-all", "mj-class", "mj-selector", "mj-html-attribute"];

/** What an element of MJML can be called. */
export function elementNames({ components }: Pick<MjmlLibrary, "components">): ReadonlySet<string> {
  return new Set([...Object.keys(components), ...WITHOUT_COMPONENT, "mj-include"]);
}

/** The element that was meant by a name that is none. */
export function meantElement(name: string, names: ReadonlySet<string>): string | undefined {
  return names.has(name) || name.search(TOKEN) >= 0 ? undefined : nearest(name, names);
}
