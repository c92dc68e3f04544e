import type { Output } from "../output.js";
import type { CheckReport } from "./check-report.js";
import { github } from "./github.js";
import { jsonDocument } from "./json.js";
import { junit } from "./junit.js";
import { pretty } from "./pretty.js";
import { sarif } from "./sarif.js";

type Formatter = (report: CheckReport, style: Output["style"], frames?: boolean) => string;

/** The output formats of `check`. */
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
