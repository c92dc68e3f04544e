import { separateDotted } from "../../../mustache/dotted.js";
import type { CompileContext } from "../../../render/engine.js";
import type { SitedHtml } from "../../../render/source/sites.js";
import { hasBody } from "../../../template/read-template.js";
import type { Entry } from "./entry.js";

/**
 * Where the elements of an HTML template were written. This needs no compiler and runs no user code, so it need not
 * wait for a check. Undefined for other templates, and if the files have changed since.
 */
export async function siteHtml({ template, shown }: Entry, context: CompileContext): Promise<SitedHtml | undefined> {
  const compiled = shown?.result.compiled;
  if (!compiled || template.engine !== "html" || !hasBody(template)) return undefined;
  const { compileSited } = await import("../../../render/compile-sited.js");
  const [{ fields, html, places } = {}] = await compileSited([template], context, "now");
  const body = fields?.html_body;
  if (body === undefined || !html || !places) return undefined;
  const isThis = [body, separateDotted(body, compiled.contract)].includes(compiled.html_body);
  return isThis ? { ...html, places } : undefined;
}
