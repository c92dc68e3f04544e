import { computedResults, resultsInWords } from "../../project/computed-source.js";
import type { CompiledTemplate, FilledFixture } from "../../project/template.js";
import { relativeTo } from "./check-report.js";
import { table } from "./table.js";

/** A template's computed values with their results for a fixture and their lines, for the terminal; empty if there are none. */
export function computedTable(
  { computed, contract }: Pick<CompiledTemplate, "computed" | "contract">,
  { variables }: Pick<FilledFixture, "variables">,
  folder: string,
): string {
  if (computed.length === 0) return "";
  const rows = computedResults(computed, contract, variables).map(({ source, results, at: { file, line } }) => {
    return [source, resultsInWords(results), `${relativeTo(folder, file)}${line === undefined ? "" : `:${line}`}`];
  });
  return table([["COMPUTED", "VALUE", "AT"], ...rows]);
}

/** The same for `--json`. */
export function computedAsJson(
  { computed, contract }: Pick<CompiledTemplate, "computed" | "contract">,
  { variables }: Pick<FilledFixture, "variables">,
  folder: string,
): object[] {
  return computedResults(computed, contract, variables).map(({ name, source, at, results }) => {
    return { name, source, at: { ...at, file: relativeTo(folder, at.file) }, results };
  });
}
