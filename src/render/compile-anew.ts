import { createHash } from "node:crypto";
import { restore, token } from "../mustache/tokens.js";
import type { VariablesSchema } from "../mustache/variables.js";
import type { VariablesModule } from "../template/variables-module.js";
import type { CompiledTemplate, CompileResult, Template, TemplateFields } from "../template/template.js";
import { resolveAssets } from "./assets.js";
import { type Compilation, restoreBodies } from "./compilation.js";
import { makeContract, readVariables } from "./contract.js";
import type { CompileContext, Engine, EngineOutput } from "./engine.js";
import { Findings } from "./findings.js";
import { checkInvariants } from "./invariants/invariants.js";
import { isList, shapeAt } from "./scopes.js";
import { enclosingSections, nameOf, scopeNames, tokensIn } from "./sections.js";
import { readSubject } from "./subject.js";
import { deriveText } from "./text/derive.js";
import { readWrittenText, type WrittenText } from "./text/body.js";
import type { Tokenised } from "./tokenised.js";
import { tidy } from "./whitespace.js";

// A compiler is loaded only when a template needs it.
const ENGINES: Readonly<Record<Template["engine"], () => Promise<Engine>>> = {
  mjml: async () => (await import("./mjml/engine.js")).compileMjml,
  html: async () => (await import("./html/engine.js")).compileHtml,
  react: async () => (await import("./react/engine.js")).compileReact,
};

/**
 * Compiles templates to Mustache. What is wrong with one is in its own result, and hides no other.
 *
 * @example
 * const results = await compileAll(templates, { host, folder: project.folder, locale: "en-US", timeZone: "UTC" });
 * const broken = results.filter((result) => hasErrors(result.diagnostics));
 *
 * @returns One result for each template, in the same order.
 * @throws {MissingPeerError} The compiler of one of the templates is not installed.
 */
export function compileAll(templates: readonly Template[], context: CompileContext): Promise<CompileResult[]> {
  return Promise.all(templates.map((template) => compileTemplate(template, context)));
}

/**
 * Compiles one template to Mustache, and holds the outcome to the invariants: that no tag of the source is lost,
 * changed or moved, and that the service will take it.
 *
 * @example
 * const { compiled, diagnostics } = await compileTemplate(template, context);
 *
 * @returns Without `compiled` where a diagnostic is an error.
 * @throws {MissingPeerError} Its compiler is not installed.
 */
export async function compileTemplate(template: Template, context: CompileContext): Promise<CompileResult> {
  const findings = new Findings();
  const compile = await ENGINES[template.engine]();
  const reading = readVariables(template, context, findings);
  const [output, module, written] = await Promise.all([
    // React asks the schema which variables are lists; the others needn't wait for the worker.
    template.engine === "react"
      ? reading.then((variables) => compile(template, context, variables))
      : compile(template, context),
    reading,
    readWrittenText(template, findings),
  ]);
  findings.add(output.diagnostics);
  const compiled = findings.hasErrors
    ? undefined
    : await finish({ template, output, module, written }, context, findings);
  const diagnostics = findings.sorted().map((diagnostic) => ({ template: template.name, ...diagnostic }));
  const result = { name: template.name, template, diagnostics };
  return compiled && !findings.hasErrors ? { ...result, compiled } : result;
}

/** A template's files, read. */
interface Parts {
  readonly template: Template;
  readonly output: EngineOutput;
  readonly module: VariablesModule | undefined;
  readonly written: WrittenText | undefined;
}

/** The steps from the engine's html on, which are the same for every engine. */
async function finish(
  parts: Parts,
  context: CompileContext,
  findings: Findings,
): Promise<CompiledTemplate | undefined> {
  const { template, output, module, written } = parts;
  const { tags, title = "", conditions = [], previewProps, expected } = output;
  const subject = readSubject(template, output, findings);
  const html = { text: await resolveAssets(tidy(output.html), { template, context, findings }), tags };
  if (findings.hasErrors) return undefined;

  // The source's tags tell the variables' type: compiling may have brought one into a section that is not about it.
  const source = expected ? { text: expected.map(token).join(""), tags } : html;
  const texts = [subject, source, ...(written ? [written] : [])].map((body) => restore(body.text, body.tags, "html"));
  const { contract, fixtures } = makeContract({ template, module, texts, conditions, previewProps });
  const derived = written ? undefined : await deriveText(html.text, tags, repeats(html, contract.input));
  const compilation: Compilation = {
    template,
    subject,
    html,
    title,
    contract,
    text: written ?? { text: derived?.text ?? "", tags },
    ...(expected && { expected }),
    ...(derived && { skippedInText: derived.skipped }),
  };
  const fields: TemplateFields = {
    name: template.name,
    description: template.metadata.description ?? "",
    ...restoreBodies(compilation),
  };
  findings.add(await checkInvariants({ compilation, fields, fixtures, context }));
  const { engine } = template;
  return { ...fields, engine, contract, fixtures, sources: sourcesOf(parts), hash: hashOf(fields) };
}

/** Tells which of a body's sections are over lists. */
function repeats(html: Tokenised, schema: VariablesSchema): (openingTag: number) => boolean {
  const sections = enclosingSections(
    tokensIn(html.text).map(({ tag }) => tag),
    html.tags,
  );
  const around = new Map(sections.map((section) => [section.tag, section.around]));
  return (opening) => {
    const names = scopeNames(around.get(opening) ?? [], html.tags);
    return isList(shapeAt(schema, names, nameOf(html.tags[opening])));
  };
}

function sourcesOf({ template, output, module, written }: Parts): string[] {
  const { metadataSource, variablesFile, fixtures } = template;
  const files = [
    ...output.sources,
    ...(written?.sources ?? []),
    ...(metadataSource ? [metadataSource.file] : []),
    ...(variablesFile === undefined ? [] : [variablesFile]),
    ...(module?.sources ?? []),
    ...fixtures.map(({ source }) => source.file),
  ];
  return [...new Set(files)].sort();
}

function hashOf({ name, description, subject, html_body, text_body }: TemplateFields): string {
  return createHash("sha256")
    .update(JSON.stringify([name, description, subject, html_body, text_body]))
    .digest("hex");
}
