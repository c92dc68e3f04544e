import type { Rebuild } from "../render/rebuild.js";
import type { Template } from "../project/template.js";
import type { Build } from "./check-rebuilds.js";

/** For more templates, a second worker takes memory and saves no time. */
const FEW = 3;

/**
 * Starts rebuilding a few components with a later clock while they are compiled, when a second processor is idle.
 *
 * @returns Works like `build`, but uses what was built ahead; undefined if nothing was started.
 */
export function buildAhead(templates: readonly Template[], build: Build): Build | undefined {
  const components = templates.filter(({ engine }) => engine === "react");
  if (components.length === 0 || components.length > FEW) return undefined;
  const built = build(components, "later").then(
    (rebuilds) => new Map<Template, Rebuild | undefined>(components.map((each, index) => [each, rebuilds[index]])),
    // Errors are reported when the templates are compiled, or rebuilt without this.
    () => undefined,
  );
  return async (wanted, clock) => {
    const known = clock === "later" ? await built : undefined;
    const rebuilds = wanted.flatMap((template) => known?.get(template) ?? []);
    return rebuilds.length === wanted.length ? rebuilds : build(wanted, clock);
  };
}
