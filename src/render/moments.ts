import path from "node:path";
import type { SourcePosition } from "../diagnostic.js";
import type { Template } from "../project/template.js";

/** The end of a hint: where else own modules read the time or a random value. */
export function readElsewhere(
  moments: readonly SourcePosition[],
  at: SourcePosition,
  { root }: Pick<Template, "root">,
): string {
  const others = moments.filter(({ file, line }) => file !== at.file || line !== at.line);
  if (others.length === 0) return "";
  const places = others.map(({ file, line }) =>
    file === at.file ? `line ${line}` : `${path.relative(root, file)}:${line}`,
  );
  return ` The code reads the time or a random value in ${[...new Set(places)].join(", ")}.`;
}
