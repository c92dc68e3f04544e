import type { GroupedDiagnostic } from "./group.js";
import type { Severity } from "../../diagnostic.js";
import { harmless } from "../harmless.js";
import { type CheckReport, listed, relativeTo, repositoryOf } from "./check-report.js";

const levels = { error: "error", warning: "warning", info: "notice" } as const satisfies Record<Severity, string>;

/** GitHub workflow commands, shown as annotations. GitHub shows only ten of each kind, so the most severe come first. */
export function github({ shown: { diagnostics }, folder }: CheckReport): string {
  const repository = repositoryOf(folder);
  const order = Object.keys(levels);
  return diagnostics
    .toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
    .map((group) => annotation(group, repository))
    .join("\n");
}

function annotation({ severity, rule, message, hint, at, templates }: GroupedDiagnostic, repository: string): string {
  const properties = [
    ...(at === undefined ? [] : [`file=${property(relativeTo(repository, at.file))}`]),
    ...(at?.line === undefined ? [] : [`line=${at.line}`]),
    ...(at?.column === undefined ? [] : [`col=${at.column}`]),
    `title=${property(rule)}`,
  ];
  const among = templates.length > 1 ? [`In ${listed(templates, "template")}.`] : [];
  const text = [message, ...(hint === undefined ? [] : [hint]), ...among].join("\n");
  return `::${levels[severity]} ${properties.join(",")}::${data(text)}`;
}

function data(text: string): string {
  return harmless(text).replaceAll("%", "%25").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
