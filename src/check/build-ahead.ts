import type { Rebuild } from "../render/compile-sited.js";
import type { Template } from "../template/template.js";
import type { Build } from "./check-rebuilds.js";

/** For more templates, a second worker takes memory and saves no time. */
const FEW = 3;

/**
 * Starts to build a few components once more, with a later clock, while they are compiled: the second processor has nothing else to
 * do then.
 *
 * @returns Does as `build`, and takes what was built ahead where that is asked for; undefined where nothing was begun.
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
