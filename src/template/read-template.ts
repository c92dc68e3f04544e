import { statSync } from "node:fs";
import path from "node:path";
import { BODY_MAX } from "../api/limits.js";
import { type Diagnostic, hasErrors } from "../diagnostic.js";
import { type Candidate, engineOf, entriesOf } from "./candidates.js";
import { findBody } from "./find-body.js";
import { readFixture } from "./fixture.js";
import { jsonPosition } from "./json.js";
import { checkLink } from "./links.js";
import { readMetadata } from "./metadata.js";
import { checkName, nameOf } from "./name.js";
import { readSource } from "./source.js";
import type { Fixture, Metadata, SourceFile, Template, UnusableTemplate } from "./template.js";

export interface ReadTemplate {
  /** Absent where a diagnostic is an error. */
  readonly template?: Template;
  /** Instead of it, where only fixtures have errors: without these. */
  readonly incomplete?: Template;
  /** Instead of it, where something else has errors: with what could be read. */
  readonly unusable?: UnusableTemplate;
  readonly diagnostics: Diagnostic[];
}

/** Reads a template with all that belongs to it. */
export function readTemplate(candidate: Candidate): ReadTemplate {
  const found: Found = { inTemplate: checkName(candidate.name, candidate.file), inFixtures: [] };
  const template = assemble(candidate, found);
  const diagnostics = [...found.inTemplate, ...found.inFixtures].map((diagnostic) => ({
    ...diagnostic,
    template: candidate.name,
  }));
  if (hasErrors(found.inTemplate) || !hasBody(template)) return { unusable: template, diagnostics };
  return hasErrors(found.inFixtures) ? { incomplete: template, diagnostics } : { template, diagnostics };
}

interface Found {
  readonly inTemplate: Diagnostic[];
  readonly inFixtures: Diagnostic[];
}

function assemble(candidate: Candidate, { inTemplate: found, inFixtures }: Found): UnusableTemplate {
  const { name, root, folder, form } = candidate;
  const file = findBody(candidate, found);
  const engine = file && engineOf(file);
  const rest =
    form === "folder" ? readRest(candidate, { inTemplate: found, inFixtures }) : { metadata: {}, fixtures: [] };
  const body = file && readFileOf(root, file, found, rest.metadata);
  if (rest.metadata.verbatim === true && engine !== undefined && engine !== "html") found.push(notVerbatim(rest));
  return { name, root, folder, ...(body && engine && { engine, body }), ...rest };
}

/** Whether it could be compiled, as far as its body goes. */
export function hasBody(template: UnusableTemplate): template is Template {
  return template.body !== undefined;
}

type Rest = Pick<Template, "text" | "metadata" | "metadataSource" | "variablesFile" | "fixtures">;

function readRest({ name, root, folder, entries }: Candidate, { inTemplate: found, inFixtures }: Found): Rest {
  const optional = (entry: string | undefined, as: Metadata = {}): SourceFile | undefined =>
    entry !== undefined && entries.includes(entry) ? readFileOf(root, path.join(folder, entry), found, as) : undefined;
  const metadataSource = optional("template.json");
  const metadata = metadataOf(metadataSource, found);
  const text = optional(
    entries.find((entry) => path.extname(entry) === ".txt" && nameOf(path.parse(entry).name) === name),
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
  const message = "verbatim: only a body in HTML can be taken as it is written.";
  const at = metadataSource && jsonPosition(metadataSource, ["verbatim"], "name");
  return { rule: "metadata-value", severity: "error", message, ...(at && { at }) };
}

function metadataOf(source: SourceFile | undefined, found: Diagnostic[]): Metadata {
  if (source === undefined) return {};
  const { metadata, diagnostics } = readMetadata(source);
  found.push(...diagnostics);
  return metadata;
}

function readFixtures(root: string, folder: string, found: Diagnostic[]): Fixture[] {
  const link = checkLink(root, folder);
  if (link !== undefined) {
    found.push(link);
    return [];
  }
  const fixtures: Fixture[] = [];
  for (const entry of entriesOf(folder, found)) {
    const source = entry.endsWith(".json") ? readFileOf(root, path.join(folder, entry), found) : undefined;
    if (source === undefined) continue;
    const { fixture, diagnostics } = readFixture(source);
    found.push(...diagnostics);
    if (fixture !== undefined) fixtures.push(fixture);
  }
  return fixtures;
}

/** In bytes. No body of a longer file can be short enough, and compiling it would take minutes. */
const LARGEST_FILE = 4_000_000;

/** Undefined, with a diagnostic, where it cannot be read. */
function readFileOf(
  root: string,
  file: string,
  found: Diagnostic[],
  { verbatim = false }: Metadata = {},
): SourceFile | undefined {
  const link = checkLink(root, file);
  if (link !== undefined) {
    found.push(link);
    return undefined;
  }
  try {
    const { size } = statSync(file);
    if (size > LARGEST_FILE) {
      const message = `${path.relative(root, file)} is ${Math.round(size / 1e6)} MB; a body has at most ${BODY_MAX.toLocaleString("en-US")} characters.`;
      found.push({ rule: "template-file", severity: "error", message, at: { file } });
      return undefined;
    }
    return readSource(file, verbatim);
  } catch (error) {
    const reason =
      error instanceof TypeError
        ? "is not UTF-8 text"
        : `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    found.push({
      rule: "template-file",
      severity: "error",
      message: `${path.relative(root, file)} ${reason}.`,
      at: { file },
    });
    return undefined;
  }
}
