import type { SourcePosition } from "../../diagnostic.js";
import type { ModuleSources } from "./component-bundles.js";

const CLOCK = /\bnew Date\(\s*\)|\bDate\(\s*\)|\bDate\.now\b|\bMath\.random\b/;

/** `{ sentAt = new Date() }`, or a line of such a pattern, rather than a declaration or an assignment. */
const CLOCK_AS_DEFAULT = new RegExp(
  String.raw`^(?!\s*(?:const|let|var)\s+[\w$]|\s*[\w$.]+\s*=.*;\s*$)(?:.*[{,])?\s*(?:[\w$]+:\s*)?[\w$]+\s*=\s*(?:${CLOCK.source})`,
);

/** Maximum number of lines of a pattern with its type. */
const LONGEST_PATTERN = 80;

/**
 * Where the source reads the time. In rewritten modules, defaults are moved behind their patterns.
 *
 * @param at Where the rewritten module reads it.
 */
export function clockAt(at: SourcePosition, sources: ModuleSources): SourcePosition {
  const { file, line = 0 } = at;
  const lines = sources.get(file)?.split("\n") ?? [];
  if (!/^\s*\}/.test(lines[line - 1] ?? "")) return at;
  const start = Math.max(0, line - LONGEST_PATTERN);
  const index = lines.slice(start, line).findLastIndex((each) => CLOCK_AS_DEFAULT.test(each));
  return index < 0 ? at : { file, line: start + index + 1 };
}

/** Whether the time is the default of a variable there. */
export function isDefaultClock({ file, line = 0 }: SourcePosition, sources: ModuleSources): boolean {
  return CLOCK_AS_DEFAULT.test(sources.get(file)?.split("\n")[line - 1] ?? "");
}
