import path from "node:path";
import type { SourceFile } from "../../project/template.js";

/**
 * A note on how a part came to be included, for the end of a message.
 *
 * @example
 * chainNote([receipt, footer]); // " (receipt.mjml → ../_shared/footer.mjml)"
 * chainNote([receipt]); // ""
 */
export function chainNote(chain: readonly SourceFile[]): string {
  const [body, ...parts] = chain;
  if (!body || parts.length === 0) return "";
  const folder = path.dirname(body.file);
  const relativePaths = parts.map(({ file }) => path.relative(folder, file).replaceAll(path.sep, "/"));
  return ` (${[path.basename(body.file), ...relativePaths].join(" → ")})`;
}
