import type { Diagnostic, Severity } from "../../../diagnostic.js";
import type { UnusableTemplate } from "../../../project/template.js";
import type { TemplateSummary } from "../../contract.js";
import { shownFixtures } from "./broken-fixtures.js";
import { diagnosticsOf, type Entry, failureOf } from "./entry.js";

/** A template as the list shows it. */
export function summaryOf(entry: Entry): TemplateSummary {
  const { name, template, revision, shown, findings, isCompiling } = entry;
  const failure = failureOf(entry);
  const all = findings || failure ? diagnosticsOf(entry) : undefined;
  const broken = entry.brokenFixtures?.map((fixture) => fixture.name);
  return {
    name,
    ...(template.engine && { engine: template.engine }),
    state: failure ? "broken" : shown ? "compiled" : "pending",
    ...(failure?.[0] && !shown && { failure: firstLine(failure[0].message) }),
    subject: shown?.outline.subject ?? "",
    preheader: shown?.outline.preheader ?? "",
    fixtures: (shown ? shownFixtures(entry) : template.fixtures).map((fixture) => fixture.name),
    ...(broken && { brokenFixtures: broken }),
    ...(isCompiling && { isCompiling, ...largeFixtureOf(template) }),
    ...(all && { findings: counted(all) }),
    revision,
  };
}

function largeFixtureOf({ fixtures }: UnusableTemplate): Pick<TemplateSummary, "largeFixture"> {
  const large = fixtures
    .map(({ name, source }) => ({ name, megabytes: Math.round(source.text.length / 1e5) / 10 }))
    .toSorted((a, b) => b.megabytes - a.megabytes)
    .find(({ megabytes }) => megabytes >= 1);
  return large ? { largeFixture: large } : {};
}

/** Without backticks. */
function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").replaceAll("`", "");
}

function counted(diagnostics: readonly Diagnostic[]): Record<Severity, number> {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of diagnostics) counts[severity] += 1;
  return counts;
}
