import type { CacheKey } from "../cache/cache.js";
import type { CheckSettings, KeptChecks, Rule } from "../check/index.js";
import type { Diagnostic } from "../diagnostic.js";
import { keptAs, keptResult } from "../render/compile.js";
import type { CompileContext } from "../render/engine.js";
import type { SitedHtml } from "../render/source/sites.js";
import type { CompileResult, Template } from "../template/template.js";

/**
 * What earlier checks found in templates that are compiled as they were, out of files that are as they were.
 *
 * @param context Of compiling; without a cache nothing is kept.
 * @param rules Those that are run, and with what settings: other ones find other things.
 */
export function keptChecks(
  context: CompileContext,
  { rules, settings }: { readonly rules: readonly Rule[]; readonly settings: CheckSettings },
): KeptChecks | undefined {
  const { cache } = context;
  if (!cache) return undefined;
  const { network: _, ...others } = settings;
  const ids = rules.map(({ id }) => id);

  /** Undefined for what was not kept: its files may have changed meanwhile. */
  const keyOf = (what: string, { template, compiled }: CompileResult): CacheKey | undefined => {
    const identity = compiled && keptAs(compiled)?.identity;
    const name = [what, template.body.file, context.assets?.baseUrl ?? ""].join("\n");
    return identity === undefined ? undefined : { name, key: [identity, others, ids] };
  };
  const read = (key: CacheKey | undefined): unknown => key && cache.read(key)?.value;
  const write = (key: CacheKey | undefined, value: unknown): void => {
    if (key && value !== undefined) cache.write(key, { files: [] }, value);
  };

  return {
    read(template: Template) {
      const result = keptResult(template, context);
      const findings = result && read(keyOf("checked", result));
      if (!result || !isFindings(findings)) return undefined;
      return {
        result,
        findings,
        get sited() {
          const sited = read(keyOf("sited", result));
          return isSitedHtml(sited) ? sited : undefined;
        },
      };
    },
    write({ result, findings, sited }) {
      write(keyOf("checked", result), findings);
      write(keyOf("sited", result), sited);
    },
  };
}

/** What is read was written by this very version. */
function isFindings(value: unknown): value is readonly Diagnostic[] {
  return Array.isArray(value);
}

function isSitedHtml(value: unknown): value is SitedHtml {
  return typeof value === "object" && value !== null && "places" in value;
}
