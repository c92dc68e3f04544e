import path from "node:path";
import { RULES_BY_GROUP } from "../../src/check/rules/index.js";
import { checkRebuilds } from "../../src/check/check-rebuilds.js";
import { checkCompiled, type ProjectFiles, type Rule } from "../../src/check/index.js";
import { DEFAULT_SETTINGS, type CheckSettings } from "../../src/check/rule.js";
import type { Diagnostic } from "../../src/diagnostic.js";
import { compileWithPositions } from "../../src/render/compile.js";
import { rebuilding, useProjects, type Files } from "../render/project.js";

export interface FindingsOptions {
  readonly settings?: Partial<CheckSettings>;
  readonly files?: ProjectFiles;
  /** Where images will be. */
  readonly assets?: { readonly baseUrl: string };
}

/**
 * What some rules find in templates, for the tests of one file.
 *
 * @example
 * const { findings } = useFindings(rulesOf("structure"));
 * expect(await findings({ "x.html": page('<img src="https://a.example/b">') })).toEqual(["image-alt warning x.html:2:1"]);
 */
export function useFindings(rules: readonly Rule[]) {
  const projects = useProjects();

  async function diagnostics(files: Files, options: FindingsOptions = {}): Promise<Diagnostic[]> {
    const placed = projects.context(options.assets && { assets: options.assets });
    const results = await compileWithPositions(await projects.load(files), placed);
    const broken = results.find(({ compiled }) => !compiled);
    if (broken) throw new Error(JSON.stringify(broken.diagnostics));
    const settings = { ...DEFAULT_SETTINGS, ...options.settings };
    const context = rebuilding(placed);
    const sited = await checkRebuilds(results, context);
    return checkCompiled(results, { rules, settings, sited, ...(options.files && { files: options.files }) });
  }

  /** Each finding as `rule severity file:line:column`. */
  async function findings(files: Files, options?: FindingsOptions): Promise<string[]> {
    return (await diagnostics(files, options)).map(({ rule, severity, at }) => {
      const place = [path.basename(at?.file ?? ""), at?.line, at?.column].filter((part) => part !== undefined);
      return `${rule} ${severity}${at ? ` ${place.join(":")}` : ""}`;
    });
  }

  return { diagnostics, findings, projects };
}

/** The rules of a folder of `src/check/rules`. */
export function rulesOf(group: string): readonly Rule[] {
  return RULES_BY_GROUP[group] ?? [];
}

/** An html body that no rule has anything against; what is given begins in line 14. */
export function page(body: string, head = ""): string {
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>Your order is on its way</title>
${head.trim().replaceAll("\n", " ")}
</head>
<body style="margin:0">
<div style="display:none;max-height:0;overflow:hidden">It should arrive on Tuesday.</div>
<h1>Your order is on its way</h1>
${body}
</body>
</html>
`;
}
