import path from "node:path";
import type { SourcePosition } from "../../../diagnostic.js";
import { nameClients } from "../../client-support/clients.js";
import { type Feature, pageOf, supportData } from "../../client-support/data.js";
import { type Use, wording } from "../../client-support/use.js";

const LONGEST = 60;

/** A feature and how it is written: `rem unit (\`font-size: 2rem\`)`; as it is written alone where that says it all. */
export function subjectOf(use: Use): string {
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
export function counted(some: readonly string[], all: readonly string[]): string {
  const others = all.filter((client) => !some.includes(client));
  const names = others.length < some.length ? `all but ${nameClients(others, all)}` : nameClients(some, all);
  if (others.length === 0) return all.length === 1 ? nameClients(all, all) : `any of ${all.length} mail clients`;
  return `${some.length} of ${all.length} mail clients: ${names}`;
}

/** `The same on 2 more lines: 14, 20.` */
export function alsoOn(others: readonly SourcePosition[], at: SourcePosition): string | undefined {
  if (others.length === 0) return undefined;
  const lines = others.map(({ file, line }) => (file === at.file ? `${line}` : `${path.basename(file)}:${line}`));
  const shown = lines.slice(0, MOST_LINES).join(", ");
  const more = lines.length > MOST_LINES ? ", …" : ".";
  return `The same on ${lines.length === 1 ? "one more line" : `${lines.length} more lines`}: ${shown}${more}`;
}

const MOST_LINES = 8;

/** How old the data is stands beside what it says. */
export function about(feature: Feature): string {
  return `By caniemail's data of ${supportData().date}: ${pageOf(feature)}`;
}

/** caniemail's notes are Markdown, and begin with what is said already. */
export function plainNote(note: string): string {
  const text = note
    .replace(/^Partial(?:ly| support| supported)?[.:]\s*/, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return text.endsWith(".") ? text : `${text}.`;
}
