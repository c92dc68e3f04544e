import type { CacheKey } from "../cache/cache.js";
import type { CheckSettings, KeptChecks, Rule } from "../check/index.js";
import type { Diagnostic } from "../diagnostic.js";
import { keptResult } from "../render/compile.js";
import type { CompileContext } from "../render/engine.js";
import type { SitedHtml } from "../render/source/sites.js";
import type { CompiledTemplate, CompileResult, Template } from "../template/template.js";

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

  const keyOf = (what: string, { template, diagnostics }: CompileResult, compiled: CompiledTemplate): CacheKey => {
    const { hash, contract, fixtures } = compiled;
    const name = [what, template.body.file, context.assets?.baseUrl ?? ""].join("\n");
    return { name, key: [template.name, hash, contract, fixtures, diagnostics, others, ids] };
  };

  return {
    read(template: Template) {
      const result = keptResult(template, context);
      const { compiled } = result ?? {};
      if (!result || !compiled) return undefined;
      const findings = cache.read(keyOf("checked", result, compiled));
      if (!isFindings(findings)) return undefined;
      return {
        result,
        findings,
        get sited() {
          const sited = cache.read(keyOf("sited", result, compiled));
          return isSitedHtml(sited) ? sited : undefined;
        },
      };
    },
    write({ result, findings, sited }) {
      const { compiled } = result;
      if (!compiled) return;
      const inputs = { files: compiled.sources };
      cache.write(keyOf("checked", result, compiled), inputs, findings);
      if (sited) cache.write(keyOf("sited", result, compiled), inputs, sited);
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
