import path from "node:path";
import { attempt } from "../../../files.js";
import { computesValues } from "../../../mustache/complete.js";
import { isComputed } from "../../../mustache/derived.js";
import { problemsOf, pathsRelativeTo } from "../report/problems.js";
import { computes } from "../../../project/variables-module.js";
import { readSource } from "../../../project/source-file.js";
import type { CompiledTemplate, UnusableTemplate } from "../../../project/template.js";
import type { CompiledBodies, FixtureDetail, SourceText, TemplateDetail, TemplateSummary } from "../../contract.js";
import { madeUpFile, type ShownFixture, shownFixtures } from "./fixtures.js";
import { diagnosticsOf, type Entry, failureOf } from "./entry.js";
import type { Diagnostic, Severity } from "../../../diagnostic.js";

export function bodiesOf(compiled: CompiledTemplate): CompiledBodies {
  const { subject, html_body: html, text_body: text, contract } = compiled;
  return { subject, html, text, contract };
}

/** Everything that the page shows about a template. */
export function detailOf(entry: Entry, folder: string): TemplateDetail {
  const { name, template, revision, shown } = entry;
  const shownPath = pathsRelativeTo(folder);
  const failure = failureOf(entry);
  const compiled = shown?.result.compiled;
  const filled = compiled
    ? shownFixtures(entry)
    : template.fixtures.map((fixture) => ({ ...fixture, input: fixture.variables }));
  return {
    name,
    revision,
    ...(compiled && { compiled: bodiesOf(compiled) }),
    ...(failure && { failure: { problems: problemsOf(failure, { folder, read: textOf }) } }),
    fixtures: filled.map((fixture) => fixtureDetail(fixture, template, shownPath)),
    derives:
      compiled !== undefined &&
      (isComputed(compiled.contract) || computesValues(compiled.contract) || computes(codeOf(template))),
    sources: sourcesOf(entry).flatMap((file) => sourceText(file, shownPath)),
  };
}

function codeOf({ variablesFile }: UnusableTemplate): string {
  return variablesFile === undefined ? "" : (textOf(variablesFile) ?? "");
}

function fixtureDetail(
  { name, input, variables, problem, isMadeUp }: ShownFixture,
  { fixtures, body }: UnusableTemplate,
  shownPath: (file: string) => string,
): FixtureDetail {
  const written = fixtures.find((fixture) => fixture.name === name)?.source.file;
  const file = isMadeUp && body ? madeUpFile({ body }) : written;
  return {
    name,
    input,
    variables,
    ...(file !== undefined && { file: shownPath(file) }),
    ...(problem !== undefined && { problem }),
    ...(isMadeUp && { isMadeUp }),
  };
}

/** The source files of a template, absolute: its own first, then shared ones. */
export function sourcesOf(entry: Entry): string[] {
  const { template, shown } = entry;
  const { body, text, metadataSource, variablesFile, fixtures } = template;
  const own = [body?.file, text?.file, metadataSource?.file, variablesFile].filter((file) => file !== undefined);
  const examples = new Set(fixtures.map(({ source }) => source.file));
  const named = (failureOf(entry) ?? []).flatMap(({ at }) => at?.file ?? []);
  const others = [...(shown?.result.compiled.sources ?? []), ...named].filter(
    (file) => !examples.has(file) && !IN_PACKAGE.test(file),
  );
  return [...new Set([...own, ...others])];
}

const IN_PACKAGE = /[\\/]node_modules[\\/]/;

const LANGUAGES: Readonly<Record<string, SourceText["language"]>> = {
  ".html": "html",
  ".mjml": "mjml",
  ".tsx": "tsx",
  ".jsx": "tsx",
  ".ts": "ts",
  ".mts": "ts",
  ".js": "ts",
  ".mjs": "ts",
  ".json": "json",
  ".css": "css",
};

function sourceText(file: string, shownPath: (file: string) => string): SourceText[] {
  const text = textOf(file);
  if (text === undefined) return [];
  return [{ file: shownPath(file), language: LANGUAGES[path.extname(file).toLowerCase()] ?? "text", text }];
}

/** Undefined if the file no longer exists or is not text. */
export function textOf(file: string): string | undefined {
  return attempt(() => readSource(file).text);
}

/** A template as the list shows it. */
export function toTemplateSummary(entry: Entry): TemplateSummary {
  const { name, template, revision, shown, findings, isCompiling } = entry;
  const failure = failureOf(entry);
  const all = findings || failure ? diagnosticsOf(entry) : undefined;
  const broken = entry.brokenFixtures?.map((fixture) => fixture.name);
  return {
    name,
    ...(template.engine && { engine: template.engine }),
    state: failure ? "broken" : shown ? "compiled" : "pending",
    ...(failure?.[0] && !shown && { failure: firstLine(failure[0].message) }),
    subject: shown?.outline.subject ?? "",
    preheader: shown?.outline.preheader ?? "",
    fixtures: (shown ? shownFixtures(entry) : template.fixtures).map((fixture) => fixture.name),
    ...(broken && { brokenFixtures: broken }),
    ...(isCompiling && { isCompiling, ...largeFixtureOf(template) }),
    ...(all && { findings: counted(all) }),
    revision,
  };
}

function largeFixtureOf({ fixtures }: UnusableTemplate): Pick<TemplateSummary, "largeFixture"> {
  const large = fixtures
    .map(({ name, source }) => ({ name, megabytes: Math.round(source.text.length / 1e5) / 10 }))
    .toSorted((a, b) => b.megabytes - a.megabytes)
    .find(({ megabytes }) => megabytes >= 1);
  return large ? { largeFixture: large } : {};
}

/** Without backticks. */
function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").replaceAll("`", "");
}

function counted(diagnostics: readonly Diagnostic[]): Record<Severity, number> {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of diagnostics) counts[severity] += 1;
  return counts;
}
