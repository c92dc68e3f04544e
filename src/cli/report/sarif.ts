import type { GroupedDiagnostic } from "./group.js";
import { rulePage } from "../../check/catalogue.js";
import type { Severity } from "../../diagnostic.js";
import { VERSION } from "../../version.js";
import { type CheckReport, relativeTo, repositoryOf } from "./check-report.js";

const levels = { error: "error", warning: "warning", info: "note" } as const satisfies Record<Severity, string>;

/** SARIF 2.1.0, for code scanning services. */
export function sarif({ shown: { diagnostics }, folder, rules, unchecked }: CheckReport) {
  const repository = repositoryOf(folder);
  const ids = [...new Set(diagnostics.map(({ rule }) => rule))].toSorted();
  const driver = {
    name: "lettershop",
    version: VERSION,
    rules: ids.map((id) => {
      const info = rules.find((rule) => rule.id === id);
      if (!info) return { id };
      const page = rulePage(id);
      return {
        id,
        shortDescription: { text: info.summary },
        ...(page !== undefined && { help: { text: page, markdown: page } }),
        defaultConfiguration: { level: levels[info.severity] },
      };
    }),
  };
  const invocation = {
    executionSuccessful: true,
    toolExecutionNotifications: unchecked.map((name) => ({
      level: "error",
      message: { text: `The template "${name}" does not compile, so it was not fully checked.` },
    })),
  };
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver },
        invocations: [invocation],
        columnKind: "utf16CodeUnits",
        results: diagnostics.map((group) => resultOf(group, ids, repository)),
      },
    ],
  };
}

/** Regions have no end, so they extend to the end of their line. */
function resultOf(
  { rule, severity, message, hint, at, templates }: GroupedDiagnostic,
  ids: readonly string[],
  repository: string,
) {
  const column = at?.column === undefined ? {} : { startColumn: at.column };
  const region = at?.line === undefined ? {} : { region: { startLine: at.line, ...column } };
  const uri = at && encodeURI(relativeTo(repository, at.file)).replace(/[#?]/g, encodeURIComponent);
  return {
    ruleId: rule,
    ruleIndex: ids.indexOf(rule),
    level: levels[severity],
    message: { text: hint === undefined ? message : `${message} ${hint}` },
    ...(uri !== undefined && { locations: [{ physicalLocation: { artifactLocation: { uri }, ...region } }] }),
    ...(templates.length > 0 && { properties: { templates } }),
  };
}
