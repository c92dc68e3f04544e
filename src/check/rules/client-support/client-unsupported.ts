import path from "node:path";
import type { SourcePosition } from "../../../diagnostic.js";
import { nameClients } from "../../client-support/clients.js";
import { type Feature, pageOf, supportData } from "../../client-support/data.js";
import { insteadOf } from "../../client-support/loss.js";
import { plainNote } from "../../client-support/notes.js";
import { type Problem, problemsIn } from "../../client-support/problems.js";
import { type Use, wording } from "../../client-support/use.js";
import type { Mistake } from "../../mistake.js";
import type { Rule } from "../../rule.js";
import { isStripped } from "../safety/stripped-element.js";

export const clientUnsupported: Rule = {
  id: "client-unsupported",
  summary: "Mail clients don't support what the template uses, or support it only in part.",
  severity: "warning",
  *checkTemplate({ document, settings }) {
    for (const problem of problemsIn(document, settings.clients)) {
      const { use, severity, at, others } = problem;
      if (isReportedElsewhere(problem)) continue;
      const { message, hint } = supportInWords(problem);
      yield {
        message: `${subjectOf(use)} is ${message}`,
        severity,
        at,
        hint: [insteadOf(use.feature), hint, alsoOn(others, at), about(use.feature)].filter(Boolean).join(" "),
      };
    }
  },
};

/** By rules that say what to do about it: `stripped-element` and `gmail-styles`. */
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

/** A feature and how it is written: `rem unit (\`font-size: 2rem\`)`; as it is written alone where that says it all. */
function subjectOf(use: Use): string {
  const { title } = supportData().features[use.feature];
  const words = wording(use).replaceAll(/\s+/g, " ");
  const short = `\`${excerpt(words, title)}\``;
  const [said, feature] = [plain(words), plain(title.replace(/ (?:property|element|attribute)$/, ""))];
  return said.startsWith(feature) ? short : `${title} (${short})`;
}

/** Of what is long, the part that has the feature: what is called `calc() function` stands where `calc(` does. */
function excerpt(words: string, title: string): string {
  if (words.length <= LONGEST) return words;
  const [, name = "var"] = /([\w-]+)\(/.exec(title) ?? [];
  const start = Math.max(0, words.indexOf(`${name}(`) - LONGEST / 2);
  return `${start > 0 ? "…" : ""}${words.slice(start, start + LONGEST)}${start + LONGEST < words.length ? "…" : ""}`;
}

function plain(text: string): string {
  return text.replaceAll(/[\s<>]/g, "").toLowerCase();
}

/** `3 of 14 mail clients: Gmail`; where that is shorter, those that are left. */
function counted(some: readonly string[], all: readonly string[]): string {
  const others = all.filter((client) => !some.includes(client));
  const names = others.length < some.length ? `all but ${nameClients(others, all)}` : nameClients(some, all);
  if (others.length === 0) return all.length === 1 ? nameClients(all, all) : `any of ${all.length} mail clients`;
  return `${some.length} of ${all.length} mail clients: ${names}`;
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
  return `By caniemail's data of ${supportData().date}: ${pageOf(feature)}`;
}
