import { compileAll } from "../../../render/compile.js";
import type { CompileContext } from "../../../render/engine.js";
import type { CompileResult, Template } from "../../../project/template.js";
import { diagnosticOf } from "./failures.js";

/** Compiles templates. If that is impossible, because a compiler is missing for example, the results say why. */
export async function compileBatch(
  templates: readonly Template[],
  context: CompileContext,
  mayBegin: (template: Template) => boolean,
): Promise<CompileResult[]> {
  try {
    return await compileAll(templates, context, mayBegin);
  } catch (error) {
    const [template, ...others] = templates;
    if (!template) return [];
    if (others.length === 0)
      return [{ name: template.name, template, diagnostics: [diagnosticOf(error, template.name)] }];
    // Compiling one by one shows which templates it concerns.
    const results: CompileResult[] = [];
    for (const each of templates) results.push(...(await compileBatch([each], context, mayBegin)));
    return results;
  }
}
