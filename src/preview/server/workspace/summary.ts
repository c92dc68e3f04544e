import type { Diagnostic, Severity } from "../../../diagnostic.js";
import type { TemplateSummary } from "../../contract.js";
import { type Entry, failureOf, fixturesOf } from "./entry.js";

/** A template as the list shows it. */
export function summaryOf(entry: Entry): TemplateSummary {
  const { name, template, revision, shown, findings } = entry;
  const failure = failureOf(entry);
  const found = findings ?? failure;
  return {
    name,
    engine: template.engine,
    state: failure ? "broken" : shown ? "compiled" : "pending",
    subject: shown?.outline.subject ?? "",
    preheader: shown?.outline.preheader ?? "",
    fixtures: (shown ? fixturesOf(shown.result.compiled) : template.fixtures).map((fixture) => fixture.name),
    ...(found && { findings: counted(found) }),
    revision,
  };
}

function counted(diagnostics: readonly Diagnostic[]): Record<Severity, number> {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of diagnostics) counts[severity] += 1;
  return counts;
}
