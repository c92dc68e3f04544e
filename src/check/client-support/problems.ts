import type { Severity, SourcePosition } from "../../diagnostic.js";
import type { EmailDocument } from "../document/email-document.js";
import { clientsOf } from "./clients.js";
import type { Feature } from "./data.js";
import { type Loss, lossOf } from "./loss.js";
import type { Use } from "./use.js";
import { usesIn } from "./uses.js";
import { supportOf, type Verdict } from "./verdict.js";
import { Written } from "./written.js";

/** Something that a user wrote and that some clients don't take. */
export interface Problem {
  readonly use: Use;
  readonly verdict: Verdict;
  readonly severity: Severity;
  readonly at: SourcePosition;
  /** The other lines of which the same is to be said. */
  readonly others: readonly SourcePosition[];
}

/** From this share of the clients on, what only looks otherwise is worth a warning. */
const MOST = 0.5;
/** From this share on it is worth knowing: less than a quarter is one client's known weakness. */
const SOME = 0.25;

/**
 * What of a compiled html some clients don't take: a warning for each feature and line of the source, an info for each
 * feature, and one for what classes stand for.
 *
 * @param patterns Of clients, as `clientsOf` takes them.
 */
export function problemsIn(document: EmailDocument, patterns: readonly string[]): readonly Problem[] {
  const written = new Written(document);
  const support = supportOf(clientsOf(patterns));
  const matters = (feature: Feature): boolean => severityOf(lossOf(feature), support.atWorst(feature)) !== undefined;
  const problems = new Map<string, Problem & { readonly others: SourcePosition[] }>();
  for (const use of usesIn(document, matters)) {
    const verdict = support.of(use);
    const severity = severityOf(lossBy(use), verdict);
    const found = severity && written.find(use);
    if (!found) continue;
    const { at, byClass } = found;
    const line = severity === "info" || byClass ? "" : lineOf(at);
    const key = [use.feature, severity, line, ...verdict.notes].join(" ");
    const problem = problems.get(key);
    if (!problem) problems.set(key, { use, verdict, severity, at, others: [] });
    else if (!byClass && ![problem.at, ...problem.others].some((other) => lineOf(other) === lineOf(at)))
      problem.others.push(at);
  }
  return [...problems.values()];
}

/** What is lost with a value is never more than its property: without its `var()`, a shadow is no shadow. */
function lossBy({ feature, by, hasFallback }: Use): Loss {
  const isExtra = by.kind === "declaration" && lossOf(`css-${by.property}`) === "extra";
  return hasFallback || isExtra ? "extra" : lossOf(feature);
}

function lineOf({ file, line }: SourcePosition): string {
  return `${file}:${line}`;
}

/** How bad it is; undefined where it isn't worth a word. */
function severityOf(loss: Loss, { unsupported, partial, known: { length } }: Verdict): Severity | undefined {
  const without = unsupported.length;
  const affected = without + partial.length;
  if (affected === 0) return undefined;
  if (loss === "content" && (without > 0 || affected >= length * MOST)) return "warning";
  if (loss === "style" && without >= length * MOST) return "warning";
  if (loss === "content" || loss === "style") return affected >= length * SOME ? "info" : undefined;
  return loss === "extra" && without > length * MOST ? "info" : undefined;
}
