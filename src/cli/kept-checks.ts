import type { CacheKey } from "../cache/cache.js";
import type { CheckSettings, KeptChecks, Rule } from "../check/index.js";
import type { Diagnostic } from "../diagnostic.js";
import { keptAs, keptResult } from "../render/compile.js";
import type { CompileContext } from "../render/engine.js";
import type { SitedHtml } from "../render/source/sites.js";
import type { CompileResult, Template } from "../template/template.js";

/**
 * Caches the checks of templates whose files and compiled result have not changed.
 *
 * @param context The compile context; without a cache, nothing is stored.
 * @param rules The rules that run. Results of other rules or settings are not reused.
 */
export function keptChecks(
  context: CompileContext,
  { rules, settings }: { readonly rules: readonly Rule[]; readonly settings: CheckSettings },
): KeptChecks | undefined {
  const { cache } = context;
  if (!cache) return undefined;
  const { network: _, ...others } = settings;
  const ids = rules.map(({ id }) => id);

  /** Undefined if the compiled template is not in the cache, because its files may have changed in the meantime. */
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

/** A shallow check is enough: the cache only returns what this version wrote. */
function isFindings(value: unknown): value is readonly Diagnostic[] {
  return Array.isArray(value);
}

function isSitedHtml(value: unknown): value is SitedHtml {
  return typeof value === "object" && value !== null && "places" in value;
}
