import path from "node:path";
import type { Diagnostic } from "../diagnostic.js";
import { bodyExtensions, type Candidate, engineOf } from "./candidates.js";
import { nearest } from "../nearest.js";
import { nameOf, stemOf } from "./name.js";

/** The one body of a template, absolute; undefined, with a diagnostic, where there is none or more than one. */
export function findBody(candidate: Candidate, found: Diagnostic[]): string | undefined {
  const { name, file, form, folder } = candidate;
  if (form === "flat") {
    found.push(...unusedCompanions(candidate));
    return file;
  }
  const [body, second] = bodiesOf(candidate);
  if (body === undefined) {
    const names = bodyExtensions.map((extension) => `${stemOf(name)}${extension}`);
    found.push({
      rule: "template-no-body",
      severity: "error",
      message: `The template "${name}" has no body: there is none of ${names.join(", ")}.`,
      at: { file },
      hint: bodyHint(candidate),
    });
  } else if (second !== undefined) {
    found.push({
      rule: "template-two-bodies",
      severity: "error",
      message: `The template "${name}" has two bodies: ${body} and ${second}.`,
      at: { file: path.join(folder, second) },
      hint: "Keep one of them.",
    });
    return undefined;
  }
  return body && path.join(folder, body);
}

/** The names of a template's bodies, in the order in which they are named to a person. */
function bodiesOf({ name, entries }: Candidate): string[] {
  const isBody = (entry: string, extension: string): boolean =>
    path.extname(entry) === extension && nameOf(path.parse(entry).name) === name;
  return bodyExtensions.flatMap((extension) => entries.filter((entry) => isBody(entry, extension)));
}

function bodyHint({ name, root, entries }: Candidate): string {
  const bodies = entries.filter((entry) => engineOf(entry) !== undefined && !entry.startsWith("_"));
  const stems = bodies.map((entry) => path.parse(entry).name);
  const [body] = bodies;
  const meant = bodies[stems.indexOf(nearest(stemOf(name), stems) ?? "")];
  if (meant !== undefined) {
    const rename = `Rename ${meant} to ${stemOf(name)}${path.extname(meant)}`;
    return `${rename}; or, if it holds what templates share, let the folder's name begin with _.`;
  }
  if (body !== undefined) {
    const own = nameOf(path.parse(body).name);
    const move = `A template has a folder of its own, beside the others': move ${body} to ${own}/${own}${path.extname(body)}`;
    const from = `${path.basename(root)}/${name}`;
    return `${move}. "templates init --from ${from}" does that for all of a folder's files, as React Email has them; then remove ${from}. A folder that templates share has a name that begins with _.`;
  }
  return "Templates are the direct children of a root; a folder that is none has a name that begins with _, or is a root of its own.";
}

/** What lies beside a body that is alone, as if it belonged to it. */
function unusedCompanions({ name, root, file, entries }: Candidate): Diagnostic[] {
  const companions = [`${name}.txt`, `${name}.json`].filter((entry) => entries.includes(entry));
  return companions.map((entry) => ({
    rule: "template-flat",
    severity: "warning",
    message: `${entry} is not used: a template that is a single file is its body alone.`,
    at: { file: path.join(root, entry) },
    hint: `Put both into a folder: ${name}/${path.basename(file)} and ${name}/${entry.endsWith(".txt") ? entry : "template.json"}.`,
  }));
}
