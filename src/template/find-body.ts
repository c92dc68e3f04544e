import path from "node:path";
import type { Diagnostic } from "../diagnostic.js";
import { bodyExtensions, type Candidate, engineOf } from "./candidates.js";
import { nearest } from "../text/nearest.js";
import { nameOf, stemOf } from "./name.js";

/** The one body of a template, absolute; undefined, with a diagnostic, if there is none or more than one. */
export function findBody(candidate: Candidate, diagnostics: Diagnostic[]): string | undefined {
  const { name, file, form, folder } = candidate;
  if (form === "flat") {
    diagnostics.push(...unusedCompanions(candidate));
    return file;
  }
  const [body, second] = bodiesOf(candidate);
  if (body === undefined) {
    const names = bodyExtensions.map((extension) => `${stemOf(name)}${extension}`);
    diagnostics.push({
      rule: "template-no-body",
      severity: "error",
      message: `The template "${name}" has no body. Expected one of ${names.join(", ")}.`,
      at: { file },
      hint: bodyHint(candidate),
    });
  } else if (second !== undefined) {
    diagnostics.push({
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

/** The file names of a template's bodies, in the order in which messages list them. */
function bodiesOf({ name, entries }: Candidate): string[] {
  const isBody = (entry: string, extension: string): boolean =>
    path.extname(entry) === extension && nameOf(path.parse(entry).name) === name;
  return bodyExtensions.flatMap((extension) => entries.filter((entry) => isBody(entry, extension)));
}

function bodyHint({ name, root, entries }: Candidate): string {
  const bodies = entries.filter((entry) => engineOf(entry) !== undefined && !entry.startsWith("_"));
  const stems = bodies.map((entry) => path.parse(entry).name);
  const [body] = bodies;
  const similar = bodies[stems.indexOf(nearest(stemOf(name), stems) ?? "")];
  if (similar !== undefined) {
    const rename = `Rename ${similar} to ${stemOf(name)}${path.extname(similar)}`;
    return `${rename}. If the folder contains parts that templates share, begin its name with _ instead.`;
  }
  if (body !== undefined) {
    const own = nameOf(path.parse(body).name);
    const move = `Each template has its own folder: move ${body} to ${own}/${own}${path.extname(body)}`;
    const from = `${path.basename(root)}/${name}`;
    return `${move}. "templates init --from ${from}" does that for all files of a React Email folder; then remove ${from}. If the folder contains parts that templates share, begin its name with _ instead.`;
  }
  return "Every direct child of a root is a template. If this folder is not a template, begin its name with _, or configure it as a root.";
}

/** Files next to a single-file template that are named as if they belonged to it. */
function unusedCompanions({ name, root, file, entries }: Candidate): Diagnostic[] {
  const companions = [`${name}.txt`, `${name}.json`].filter((entry) => entries.includes(entry));
  return companions.map((entry) => ({
    rule: "template-flat",
    severity: "warning",
    message: `${entry} is not used: a single-file template has only a body.`,
    at: { file: path.join(root, entry) },
    hint: `Put both into a folder: ${name}/${path.basename(file)} and ${name}/${entry.endsWith(".txt") ? entry : "template.json"}.`,
  }));
}
