import path from "node:path";
import type { Severity, SourcePosition } from "../../../diagnostic.js";
import {
  clientsOf,
  nameClients,
  allFeatures,
  pageOf,
  supportData,
  alternativeTo,
  lossOf,
  type Feature,
  type Loss,
} from "../../client-support/data.js";
import { plainNote, supportOf, type Verdict } from "../../client-support/verdict.js";
import { wording, usesIn, Written, type Use } from "../../client-support/uses.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { Mistake, BuiltInRule } from "../../rule.js";
import { isStripped } from "../safety/stripped-element.js";

export const clientUnsupported: BuiltInRule = {
  id: "client-unsupported",
  severity: "warning",
  summary: "Email clients don't support something that the template uses, or support it only in part.",
  details:
    "Email clients don't support something that the template uses, or support it only in part: a CSS property or " +
    "value, an at-rule, a selector, an element, an attribute or an image format.",
  why:
    "A client that doesn't know a declaration drops it; one that doesn't know an element drops the element. The severity " +
    "depends on what is lost:\n\n" +
    "| What is lost                            | For example                                                           " +
    "                                      | Reported                                                       |\n" +
    "| --------------------------------------- | " +
    "----------------------------------------------------------------------------------------------------------- | " +
    "-------------------------------------------------------------- |\n" +
    "| content or layout                       | `display: flex`, `position`, `float`, CSS variables, `<video>`, " +
    "`<svg>`, WebP or SVG images, `data:` images | warning if one client is affected                              |\n" +
    "| appearance                              | `calc()`, `object-fit`, `rem`, gradients                              " +
    "                                      | warning if half of the clients are affected, note if a quarter |\n" +
    '| details that few recipients miss        | shadows, animations, `:hover`, web fonts, `loading="lazy"`            ' +
    "                                      | note if more than half of the clients are affected             |\n" +
    "| enhancements for clients that know them | `@media`, dark mode, `role`, `aria-*`, `lang`, `!important`, " +
    "`overflow-wrap`                                | never                                                          |\n\n" +
    "A value with a simpler fallback before it, and an image or gradient next to a `background-color`, count as such " +
    "details. What MJML, React Email's components and similar libraries add for old clients is not reported, only what the " +
    "template's own files contain. Forms, frames, scripts and `<base>` are reported only by " +
    "[stripped-element](stripped-element.md).\n\n" +
    "Partial support is reported only if caniemail's note applies to the template: `margin: 0 auto` is " +
    "fine where only `margin: -4px` is dropped. It is a note if at least a quarter of the clients are affected, " +
    "and a warning if at least half of them lose content or layout, such as those that drop the whole style " +
    "attribute because of `rgb(0 128 0)`. Problems that only affect mailboxes of other providers in a client's app " +
    "are not reported.\n\n" +
    "Support is what [caniemail.com](https://www.caniemail.com) has tested: the latest version of each client, as " +
    "of the date in each finding. See [the guide](../guides/client-support.md) for the clients that count and how " +
    "to choose others.",
  fix:
    "The hint says what to write instead, if there is an alternative. If a client doesn't matter to you, remove it " +
    "from the list in lettershop.config.ts:\n\n" +
    "```ts\n" +
    "check: {\n" +
    '  clients: ["apple-mail", "gmail", "outlook.outlook-com"];\n' +
    "}\n" +
    "```",
  examples: {
    wrong: ['<div style="‸display: flex">Your order</div>', '<p>Total: ‸<svg width="10" height="10"></svg></p>'],
    right: ['<p style="color: #333333">Your order</p>'],
  },
  *checkTemplate({ document, settings }) {
    for (const problem of problemsIn(document, settings.clients)) {
      const { use, severity, at, others } = problem;
      if (isReportedElsewhere(problem)) continue;
      const { message, hint } = supportInWords(problem);
      yield {
        message: `${subjectOf(use)} is ${message}`,
        severity,
        at,
        hint: [alternativeTo(use.feature), hint, alsoOn(others, at), about(use.feature)].filter(Boolean).join(" "),
      };
    }
  },
};

/** Something that a user wrote and that some clients don't support. */
interface Problem {
  readonly use: Use;
  readonly verdict: Verdict;
  readonly severity: Severity;
  readonly at: SourcePosition;
  /** The other lines with the same problem. */
  readonly others: SourcePosition[];
}

/** The share of clients without support from which a different look deserves a warning. */
const MOST = 0.5;
/** The share of clients without support from which an info is reported; below it, it is one client's known weakness. */
const SOME = 0.25;

/**
 * The unsupported features of compiled HTML: one warning per feature and source line, one info per feature, and one finding
 * per feature that class names use.
 */
function problemsIn(document: EmailDocument, clients: readonly string[]): Problem[] {
  const written = new Written(document);
  const support = supportOf(clientsOf(clients));
  const reportable = allFeatures().filter((feature) => severityOf(lossOf(feature), support.atWorst(feature)));
  const problems = new Map<string, Problem>();
  for (const use of usesIn(document, new Set(reportable))) {
    const verdict = support.of(use);
    const severity = severityOf(lossBy(use), verdict);
    const position = severity && written.find(use);
    if (!position) continue;
    const { at, byClass } = position;
    const line = severity === "info" || byClass ? "" : lineOf(at);
    const key = [use.feature, severity, line, ...verdict.notes].join(" ");
    const problem = problems.get(key);
    if (!problem) problems.set(key, { use, verdict, severity, at, others: [] });
    else if (!byClass && ![problem.at, ...problem.others].some((other) => lineOf(other) === lineOf(at)))
      problem.others.push(at);
  }
  return [...problems.values()];
}

/** Losing a value costs no more than losing its property: without a `var()` in `box-shadow`, only the shadow is missing. */
function lossBy({ feature, by, hasFallback }: Use): Loss {
  const isExtra = by.kind === "declaration" && lossOf(`css-${by.property}`) === "extra";
  return hasFallback || isExtra ? "extra" : lossOf(feature);
}

function lineOf({ file, line }: SourcePosition): string {
  return `${file}:${line}`;
}

/** Undefined if the problem is not worth reporting. */
function severityOf(loss: Loss, { unsupported, partial, known: { length } }: Verdict): Severity | undefined {
  const without = unsupported.length;
  const affected = without + partial.length;
  if (affected === 0) return undefined;
  if (loss === "content" && (without > 0 || affected >= length * MOST)) return "warning";
  if (loss === "style" && without >= length * MOST) return "warning";
  if (loss === "content" || loss === "style") return affected >= length * SOME ? "info" : undefined;
  return loss === "extra" && without > length * MOST ? "info" : undefined;
}

/** Whether `stripped-element` or `gmail-styles` reports it, with advice. */
function isReportedElsewhere({ use: { by, element }, verdict: { partial, unsupported } }: Problem): boolean {
  if (by.kind !== "element") return false;
  if (element.name === "style") return [...partial, ...unsupported].every((client) => client.startsWith("gmail."));
  return isStripped(element);
}

function supportInWords({ verdict: { unsupported, partial, notes, known } }: Problem): Mistake {
  if (unsupported.length === 0) {
    const notesInWords = notes.length > 0 ? `: ${notes.map(plainNote).join(" ")}` : ".";
    return { message: `supported only in part by ${counted(partial, known)}${notesInWords}` };
  }
  const message = `not supported by ${counted(unsupported, known)}.`;
  return partial.length > 0 ? { message, hint: `${nameClients(partial, known)} support it in part.` } : { message };
}

const LONGEST = 60;

/** A feature and its source text: `rem unit (\`font-size: 2rem\`)`; only the source text if it names the feature. */
function subjectOf(use: Use): string {
  const { title } = supportData().features[use.feature];
  const words = wording(use).replaceAll(/\s+/g, " ");
  const short = `\`${excerpt(words, title)}\``;
  const [source, feature] = [plain(words), plain(title.replace(/ (?:property|element|attribute)$/, ""))];
  return source.startsWith(feature) ? short : `${title} (${short})`;
}

/** The part of a long value around the feature: for `calc() function`, the part with `calc(`. */
function excerpt(words: string, title: string): string {
  if (words.length <= LONGEST) return words;
  const [, name = "var"] = /([\w-]+)\(/.exec(title) ?? [];
  const start = Math.max(0, words.indexOf(`${name}(`) - LONGEST / 2);
  return `${start > 0 ? "…" : ""}${words.slice(start, start + LONGEST)}${start + LONGEST < words.length ? "…" : ""}`;
}

function plain(text: string): string {
  return text.replaceAll(/[\s<>]/g, "").toLowerCase();
}

/** `3 of 14 email clients: Gmail`, or the remaining clients if that is shorter. */
function counted(some: readonly string[], all: readonly string[]): string {
  const others = all.filter((client) => !some.includes(client));
  const names = others.length < some.length ? `all but ${nameClients(others, all)}` : nameClients(some, all);
  if (others.length === 0) return all.length === 1 ? nameClients(all, all) : `any of ${all.length} email clients`;
  return `${some.length} of ${all.length} email clients: ${names}`;
}

/** `The same on 2 more lines: 14, 20.` */
function alsoOn(others: readonly SourcePosition[], at: SourcePosition): string | undefined {
  if (others.length === 0) return undefined;
  const lines = others.map(({ file, line }) => (file === at.file ? `${line}` : `${path.basename(file)}:${line}`));
  const shown = lines.slice(0, MOST_LINES).join(", ");
  const more = lines.length > MOST_LINES ? ", …" : ".";
  return `The same on ${lines.length === 1 ? "one more line" : `${lines.length} more lines`}: ${shown}${more}`;
}

const MOST_LINES = 8;

/** The source of the data, with its date. */
function about(feature: Feature): string {
  return `Source: caniemail, ${supportData().date}: ${pageOf(feature)}`;
}
