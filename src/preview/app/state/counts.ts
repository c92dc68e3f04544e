import type { Severity } from "../../../diagnostic.js";
import type { Tone } from "../ui/badge.js";

/** How many findings there are of each severity. */
export type Counts = Readonly<Partial<Record<Severity, number>>>;

/** The worst first. */
export const severities: readonly Severity[] = ["error", "warning", "info"];

const names: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "note" };

export const countsOf = (findings: readonly { readonly severity: Severity }[]): Counts =>
  Object.fromEntries(
    severities.map((severity) => [severity, findings.filter((finding) => finding.severity === severity).length]),
  );

/** What a list, a tab and a heading say of findings: how many there are in all, in the colour of the worst. */
export const sumOf = (counts: Counts = {}): number =>
  severities.reduce((sum, severity) => sum + (counts[severity] ?? 0), 0);

export const toneOf = (counts: Counts = {}): Tone => {
  const worst = severities.find((severity) => (counts[severity] ?? 0) > 0);
  return worst === undefined || worst === "info" ? "neutral" : worst;
};

/** `2 errors, 1 note` */
export const countsInWords = (counts: Counts): string =>
  severities
    .flatMap((severity) => {
      const count = counts[severity] ?? 0;
      return count === 0 ? [] : [`${count} ${names[severity]}${count === 1 ? "" : "s"}`];
    })
    .join(", ");
