import type { Output } from "../output.js";
import { type CheckReport, summary } from "./check-report.js";
import { placeOf, prettyGroups } from "./diagnostics.js";
import { github } from "./github.js";
import { jsonDocument } from "./json.js";
import { junit } from "./junit.js";
import { sarif } from "./sarif.js";

type Formatter = (report: CheckReport, style: Output["style"]) => string;

/** The ways in which `check` prints its findings. */
export const formats = {
  pretty,
  json: (report) => JSON.stringify(jsonDocument(report), null, 2),
  github,
  sarif: (report) => JSON.stringify(sarif(report), null, 2),
  junit,
} satisfies Record<string, Formatter>;

export function isFormat(name: string): name is keyof typeof formats {
  return Object.hasOwn(formats, name);
}

function pretty(report: CheckReport, style: Output["style"]): string {
  const { fixed = [], diagnostics, folder } = report;
  const mended = fixed.map(
    ({ rule, at }) => `${style("green", "mended")} ${at ? placeOf(at, folder) : ""} ${style("dim", rule)}`,
  );
  const parts = [mended.join("\n"), prettyGroups(diagnostics, folder, style), summary(report)];
  return parts.filter((part) => part !== "").join("\n\n");
}
