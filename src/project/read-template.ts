import { statSync } from "node:fs";
import path from "node:path";
import { BODY_MAX, TEMPLATE_NAME } from "../api/limits.js";
import { type Diagnostic, hasErrors } from "../diagnostic.js";
import { bodyExtensions, type Candidate, checkLink, engineOf, entriesOf } from "./candidates.js";
import { jsonPosition, parseJson, readSource } from "./source-file.js";
import { checkName, templateNameOf, stemOf } from "./template-name.js";
import type { Fixture, Metadata, SourceFile, Template, UnusableTemplate } from "./template.js";
import { nearest } from "../text/nearest.js";
import { attempt } from "../files.js";
import { isRecord } from "../values.js";

export interface ReadTemplate {
  /** Absent where a diagnostic is an error. */
  readonly template?: Template;
  /** Set instead of `template` if only fixtures have errors; contains the other fixtures. */
  readonly incomplete?: Template;
  /** Set instead of `template` for other errors; contains what could be read. */
  readonly unusable?: UnusableTemplate;
  readonly diagnostics: Diagnostic[];
}

/** Reads a template with its metadata, text body and fixtures. */
export function readTemplate(candidate: Candidate): ReadTemplate {
  const collected: Diagnostics = { inTemplate: checkName(candidate.name, candidate.file), inFixtures: [] };
  const template = assemble(candidate, collected);
  const diagnostics = [...collected.inTemplate, ...collected.inFixtures].map((diagnostic) => ({
    ...diagnostic,
    template: candidate.name,
  }));
  if (hasErrors(collected.inTemplate) || !hasBody(template)) return { unusable: template, diagnostics };
  return hasErrors(collected.inFixtures) ? { incomplete: template, diagnostics } : { template, diagnostics };
}

interface Diagnostics {
  readonly inTemplate: Diagnostic[];
  readonly inFixtures: Diagnostic[];
}

function assemble(candidate: Candidate, { inTemplate: diagnostics, inFixtures }: Diagnostics): UnusableTemplate {
  const { name, root, folder, form } = candidate;
  const file = findBody(candidate, diagnostics);
  const engine = file && engineOf(file);
  const rest =
    form === "folder" ? readRest(candidate, { inTemplate: diagnostics, inFixtures }) : { metadata: {}, fixtures: [] };
  const body = file && readFileOf(root, file, diagnostics, rest.metadata);
  if (rest.metadata.verbatim === true && engine !== undefined && engine !== "html") diagnostics.push(notVerbatim(rest));
  return { name, root, folder, ...(body && engine && { engine, body }), ...rest };
}

/** Whether the template has a body, so that it could be compiled. */
export function hasBody(template: UnusableTemplate): template is Template {
  return template.body !== undefined;
}

type Rest = Pick<Template, "text" | "metadata" | "metadataSource" | "variablesFile" | "fixtures">;

function readRest(
  { name, root, folder, entries }: Candidate,
  { inTemplate: diagnostics, inFixtures }: Diagnostics,
): Rest {
  const optional = (entry: string | undefined, as: Metadata = {}): SourceFile | undefined =>
    entry !== undefined && entries.includes(entry)
      ? readFileOf(root, path.join(folder, entry), diagnostics, as)
      : undefined;
  const metadataSource = optional("template.json");
  const metadata = metadataSource ? readMetadata(metadataSource, diagnostics) : {};
  const text = optional(
    entries.find((entry) => path.extname(entry) === ".txt" && templateNameOf(path.parse(entry).name) === name),
    metadata,
  );
  const variables = optional("variables.ts");
  return {
    metadata,
    fixtures: entries.includes("fixtures") ? readFixtures(root, path.join(folder, "fixtures"), inFixtures) : [],
    ...(text && { text }),
    ...(metadataSource && { metadataSource }),
    ...(variables && { variablesFile: variables.file }),
  };
}

function notVerbatim({ metadataSource }: Rest): Diagnostic {
  const message = "verbatim: only an HTML body can be verbatim.";
  const at = metadataSource && jsonPosition(metadataSource, ["verbatim"], "name");
  return { rule: "metadata-value", severity: "error", message, ...(at && { at }) };
}

function readFixtures(root: string, folder: string, diagnostics: Diagnostic[]): Fixture[] {
  const link = checkLink(root, folder);
  if (link !== undefined) {
    diagnostics.push(link);
    return [];
  }
  const fixtures: Fixture[] = [];
  for (const entry of entriesOf(folder, diagnostics)) {
    const source = entry.endsWith(".json") ? readFileOf(root, path.join(folder, entry), diagnostics) : undefined;
    const fixture = source && readFixture(source, diagnostics);
    if (fixture !== undefined) fixtures.push(fixture);
  }
  return fixtures;
}

/** In bytes. A larger file can't compile to a body within the limit, and compiling it would take minutes. */
const LARGEST_FILE = 4_000_000;

/** Undefined, with a diagnostic, if the file can't be read. */
function readFileOf(
  root: string,
  file: string,
  diagnostics: Diagnostic[],
  { verbatim = false }: Metadata = {},
): SourceFile | undefined {
  const link = checkLink(root, file);
  if (link !== undefined) {
    diagnostics.push(link);
    return undefined;
  }
  try {
    const { size } = statSync(file);
    if (size > LARGEST_FILE) {
      const message = `${path.relative(root, file)} is ${Math.round(size / 1e6)} MB; the limit for a body is ${BODY_MAX.toLocaleString("en-US")} characters.`;
      diagnostics.push({ rule: "template-file", severity: "error", message, at: { file } });
      return undefined;
    }
    return readSource(file, verbatim);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const reason = error instanceof TypeError ? "is not UTF-8 text" : `can't be read: ${cause}`;
    const message = `${path.relative(root, file)} ${reason}.`;
    diagnostics.push({ rule: "template-file", severity: "error", message, at: { file } });
    return undefined;
  }
}

/** Reads `fixtures/<name>.json`; undefined, with a diagnostic, if it is not an object. */
function readFixture(source: SourceFile, diagnostics: Diagnostic[]): Fixture | undefined {
  const name = path.basename(source.file, ".json");
  const { value, problem } = parseJson(source);
  if (isRecord(value)) return { name, source, variables: value };
  const kind = value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`;
  const message = `The fixture "${name}" is ${kind}, but must be an object with the variables that the application passes.`;
  if (problem !== undefined) diagnostics.push({ rule: "fixture-json", severity: "error", ...problem });
  else diagnostics.push({ rule: "fixture-object", severity: "error", message, at: jsonPosition(source, []) });
  return undefined;
}

/** The one body of a template, absolute; undefined, with a diagnostic, if there is none or more than one. */
function findBody(candidate: Candidate, diagnostics: Diagnostic[]): string | undefined {
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
    path.extname(entry) === extension && templateNameOf(path.parse(entry).name) === name;
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
    const own = templateNameOf(path.parse(body).name);
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

interface Member {
  /** Completes "expected …" in messages. */
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
}

const text: Member = { expected: "a string", fits: (value) => typeof value === "string" };

/*
 * Checked by hand: importing a schema library would take longer than everything else that a command does when nothing
 * has changed.
 */
const members: Readonly<Record<keyof Metadata | "$schema", Member>> = {
  /** For editors. */
  $schema: text,
  subject: text,
  description: text,
  renamedFrom: matching(TEMPLATE_NAME, "a template's name"),
  locale: { expected: "a language tag such as en-US", fits: (value) => typeof value === "string" && isLocale(value) },
  direction: oneOf("ltr", "rtl"),
  priority: oneOf("high", "normal"),
  expiresAfter: matching(/^[1-9]\d*[smhd]$/, "a duration such as 90s, 10m, 2h or 1d"),
  onUnknown: oneOf("park", "resend"),
  verbatim: { expected: "true or false", fits: (value) => typeof value === "boolean" },
};

/** Reads `template.json`; the metadata is empty if there are diagnostics. */
function readMetadata(source: SourceFile, diagnostics: Diagnostic[]): Metadata {
  const { value, problem } = parseJson(source);
  const own = problem
    ? [{ rule: "metadata-json", severity: "error" as const, ...problem }]
    : metadataProblems(source, value);
  diagnostics.push(...own);
  if (own.length > 0 || !isRecord(value)) return {};
  const { $schema: _, ...metadata } = value;
  return metadata;
}

function metadataProblems(source: SourceFile, value: unknown): Diagnostic[] {
  if (!isRecord(value)) return [invalidValue(source, [], "an object", value)];
  return Object.entries(value).flatMap(([key, each]) => {
    if (!isMember(key)) return [unknownKey(key, source)];
    const { expected, fits } = members[key];
    return fits(each) ? [] : [invalidValue(source, [key], expected, each)];
  });
}

function invalidValue(source: SourceFile, keys: readonly string[], expected: string, value: unknown): Diagnostic {
  const message = `${keys[0] ?? "template.json"}: expected ${expected}, found ${JSON.stringify(value)}.`;
  return { rule: "metadata-value", severity: "error", message, at: jsonPosition(source, keys) };
}

function unknownKey(key: string, source: SourceFile): Diagnostic {
  const known = Object.keys(members).filter((each) => each !== "$schema");
  const near = nearest(key, known);
  return {
    rule: "metadata-unknown-key",
    severity: "error",
    message: `template.json has an unknown key "${key}".`,
    at: jsonPosition(source, [key], "name"),
    hint: near === undefined ? `Use one of: ${known.join(", ")}.` : `Did you mean ${near}?`,
  };
}

function matching(pattern: RegExp, expected: string): Member {
  return { expected, fits: (value) => typeof value === "string" && pattern.test(value) };
}

function oneOf(...values: readonly string[]): Member {
  const expected = values.map((value) => `"${value}"`).join(" or ");
  return { expected, fits: (value) => typeof value === "string" && values.includes(value) };
}

/** The standard allows languages of four to eight letters, but none is registered: `english` is not a language tag. */
function isLocale(tag: string): boolean {
  return !/^[a-z]{4,}/i.test(tag) && attempt(() => Intl.getCanonicalLocales(tag)) !== undefined;
}

function isMember(key: string): key is keyof typeof members {
  return Object.hasOwn(members, key);
}
