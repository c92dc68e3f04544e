import { checkCompiled } from "../../../../src/check/index.js";
import { checkRebuilds } from "../../../../src/check/check-rebuilds.js";
import { DEFAULT_SETTINGS, type CheckSettings } from "../../../../src/check/rule.js";
import type { TemplateReport } from "../../../../src/preview/contract.js";
import { reportOf, type ReportInput } from "../../../../src/preview/server/report/report.js";
import { compileWithPositions } from "../../../../src/render/compile.js";
import { loadTemplates } from "../../../../src/project/load-templates.js";
import type { CompiledTemplate } from "../../../../src/project/template.js";
import { useProjects, type Files } from "../../../render/project.js";

export interface Reported {
  readonly report: TemplateReport;
  readonly compiled: CompiledTemplate;
  /** The input of the report. */
  readonly input: ReportInput;
}

/** Reports of templates that are written, compiled and checked for the tests of one file; the same files only once. */
export function useReports() {
  const projects = useProjects();
  const known = new Map<string, Promise<Reported>>();

  return (files: Files, settings: Partial<CheckSettings> = {}): Promise<Reported> => {
    const key = JSON.stringify([files, settings]);
    const made = known.get(key) ?? report(files, settings);
    known.set(key, made);
    return made;
  };

  async function report(files: Files, settings: Partial<CheckSettings>): Promise<Reported> {
    const folder = await projects.write(files);
    const { templates } = loadTemplates([folder]);
    const context = projects.context();
    const results = await compileWithPositions(templates, context);
    const sited = await checkRebuilds(results, context);
    const all = { ...DEFAULT_SETTINGS, ...settings };
    const diagnostics = await checkCompiled(results, { settings: all, sited });
    const [shown] = results;
    if (!shown?.compiled) throw new Error(JSON.stringify(shown?.diagnostics));
    const input: ReportInput = {
      name: shown.name,
      revision: 1,
      isPartial: false,
      folder,
      diagnostics: [...shown.diagnostics, ...diagnostics],
      shown,
      sited: sited[0]?.sited,
      settings: all,
    };
    return { report: reportOf(input), compiled: shown.compiled, input };
  }
}
