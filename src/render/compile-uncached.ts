import type { Inputs } from "../cache/inputs.js";
import type { Diagnostic } from "../diagnostic.js";
import { LettershopError } from "../errors.js";
import { Interruption } from "../process/host.js";
import { ModuleError } from "../process/module-error.js";
import { sampleOf } from "../mustache/sample.js";
import { restore, type TagTable, token, type Tokenised } from "../mustache/tokens.js";
import { type CompileResult, type Template, type TemplateFields, templateHash } from "../project/template.js";
import { type ComputedSource, quoteSource } from "../project/computed-source.js";
import { mixedKinds } from "../project/mixed-kinds.js";
import type { VariablesModule } from "../project/variables-module.js";
import { resolveAssetsOf } from "./assets.js";
import { type Compilation, readBodies, restoreBodies } from "./bodies.js";
import { fillFixtures, listsOf, makeContract, nameConditions, readVariables } from "./contract.js";
import { type CompileContext, engineOf, type EngineOutput } from "./engine.js";
import { Findings, relaxVerbatimMarkup } from "./findings.js";
import { checkInvariants, checkNesting } from "./invariants/invariants.js";
import { type PositionedHtml, removeSites } from "./source/mapped-text.js";
import { withTexts } from "./text/computed-html.js";
import { deriveText } from "./text/derive.js";
import { mergeCases, wholeSections } from "./whole-sections.js";
import { installedInputs, moduleInputs } from "../process/module-inputs.js";
import { assemble, PartReader } from "./source/assemble.js";

/** A result, what it was made from, and what the cache does not store. */
export interface UncachedResult extends CompileResult {
  readonly inputs: Inputs;
  /** The HTML body, with the positions of its tags; absent if there was an error. */
  readonly html?: Tokenised;
  /** The same with the positions of its elements, in a sited compile. */
  readonly sited?: PositionedHtml;
}

/** Compiles a template without looking in the cache. Errors thrown by an engine become diagnostics of the template. */
export async function compileUncached(template: Template, context: CompileContext): Promise<UncachedResult> {
  try {
    return await compileParts(template, context);
  } catch (error) {
    if (error instanceof LettershopError || error instanceof Interruption) throw error;
    return failed(template, error);
  }
}

function failed(template: Template, error: unknown): UncachedResult {
  const { name, engine, body } = template;
  const diagnostic: Diagnostic = {
    rule: "compile-failed",
    severity: "error",
    template: name,
    message: `The ${engine} template can't be compiled: ${error instanceof Error ? error.message : String(error)}`,
    at: { file: body.file },
    hint: "Remove parts of it until it compiles, to find the part that fails.",
  };
  return { name, template, diagnostics: [diagnostic], inputs: { files: [] } };
}

async function compileParts(template: Template, context: CompileContext): Promise<UncachedResult> {
  const findings = new Findings();
  const compile = await engineOf(template);
  const reading = readVariables(template, context);
  const [output, module, written] = await Promise.all([
    compile(template, context, () => reading),
    reading,
    readWrittenText(template, findings),
  ]);
  findings.add([...(module?.diagnostics ?? []), ...output.diagnostics]);
  // A variable whose type is ambiguous causes refusals in a component: report why.
  if (findings.hasErrors && !isSchemaWritten(module)) findings.add(mixedKinds(template, module?.schema));
  const { computed = [] } = output;
  const parts: Parts = { template, output, module, written, places: new Set(), computed: [...computed] };
  const finished = findings.hasErrors
    ? undefined
    : await finish(parts, context, findings).catch((error: unknown) => {
        findings.add([uncomputed(error, parts)]);
      });
  const { compiled, html, sited } = finished ?? {};
  const diagnostics = findings
    .sorted()
    .map((diagnostic) => quoteSource({ template: template.name, ...diagnostic }, parts.computed));
  const sample =
    compiled && !isSchemaWritten(module) && lacksOnlyExample(diagnostics)
      ? sampleOf(compiled.contract.input)
      : undefined;
  return {
    name: template.name,
    template,
    diagnostics,
    ...(sample && { sample }),
    ...(compiled && !findings.hasErrors && { compiled }),
    inputs: inputsOf(parts, context),
    ...(html && { html }),
    ...(sited && { sited }),
  };
}

/** A computed value that an example exceeds the limits with. */
function uncomputed(error: unknown, { computed }: Parts): Diagnostic {
  const { message } = error instanceof LettershopError ? error : { message: "" };
  const value = computed.find(({ name }) => message.startsWith(`"${name}" `));
  if (!value) throw error;
  const hint = "Compute it in the application, or in derive (variables.ts).";
  return { rule: "react-unsupported", severity: "error", message, at: value.at, hint };
}

/** Whether there is a `variables.ts`. */
function isSchemaWritten(module: VariablesModule | undefined): boolean {
  return module !== undefined && !module.isOpen;
}

function lacksOnlyExample(diagnostics: readonly Diagnostic[]): boolean {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return errors.length > 0 && errors.every(({ rule }) => rule === "react-fixture");
}

/** A template's files, after reading. */
interface Parts {
  readonly template: Template;
  readonly output: EngineOutput;
  readonly module: VariablesModule | undefined;
  readonly written: WrittenText | undefined;
  /** Receives the paths at which images were looked up. */
  readonly places: Set<string>;
  /** Where the computed values are in the source code. Receives those of the text body. */
  readonly computed: ComputedSource[];
}

/** The steps after the engine's HTML, which are the same for every engine. */
async function finish(
  parts: Parts,
  context: CompileContext,
  findings: Findings,
): Promise<Pick<UncachedResult, "compiled" | "html" | "sited"> | undefined> {
  const { template, module, places } = parts;
  const bodies = readBodies(template, parts.output, { context, findings, places });
  const { output, names, subject } = bodies;
  const { tags, expected, ownNames } = output;
  // In code, an image in _assets is referred to as in the body.
  const previewProps = output.previewProps && resolveAssetsOf(output.previewProps, { template, context, places });
  const html = { text: removeSites(bodies.html.text), tags };
  const written = parts.written && nameConditions(parts.written, names);
  checkNesting(html, template, findings);
  if (findings.hasErrors) return undefined;

  // The source's tags tell the variables' types: compiling may have moved one into an unrelated section.
  const source = expected ? { text: expected.map(token).join(""), tags } : html;
  const texts = [subject, source, ...(written ? [written] : [])].map((body) => restore(body.text, body.tags, "html"));
  const conditions = [...names.list];
  const facts = { template, module, texts, ownNames, previewProps };
  const contractResult = makeContract({ ...facts, conditions });
  findings.add(contractResult.diagnostics);
  const shown = wholeSections(html, contractResult.contract);
  const whole = written ? shown : withTexts(shown, names, parts.computed);
  const derived = written
    ? undefined
    : await deriveText(whole.text, whole.tags, listsOf(whole, contractResult.contract, names));
  const hasNewConditions = names.list.length > conditions.length;
  const completed = hasNewConditions ? makeContract({ ...facts, conditions: names.list }) : contractResult;
  const { contract } = completed;
  const fixtures = await fillFixtures(template, completed, context).catch((error: unknown) => {
    if (!(error instanceof ModuleError)) throw error;
    findings.add(error.toDiagnostics("react-unsupported", template.name));
  });
  if (!fixtures) return undefined;
  const compilation: Compilation = {
    template,
    output,
    subject,
    html,
    whole,
    contract,
    text: written ?? derived ?? { text: "", tags },
    ...(derived && { derived }),
  };
  const fields: TemplateFields = {
    name: template.name,
    description: template.metadata.description ?? "",
    ...restoreBodies(
      !derived || shown.text === html.text ? compilation : { ...compilation, text: mergeCases(compilation.text) },
    ),
  };
  output.checkContract?.(contract, findings);
  findings.add(relaxVerbatimMarkup(await checkInvariants({ compilation, fields, fixtures, context }), template));
  const { engine } = template;
  const { locale, timeZone } = context;
  const compiled = {
    ...fields,
    engine,
    contract,
    computed: parts.computed,
    fixtures,
    context: { locale, timeZone },
    sources: sourcesOf(parts),
    hash: templateHash(fields),
  };
  return {
    compiled,
    html,
    ...(output.places && { sited: { ...wholeSections(bodies.html, contract), places: output.places } }),
  };
}

/** What a template was compiled from, in addition to its own files. */
function inputsOf({ template, output, module, written, places }: Parts, { folder }: CompileContext): Inputs {
  const modules = [...(template.engine === "react" ? output.sources : []), ...(module?.sources ?? [])];
  const { files, stems, trees } = moduleInputs(modules);
  const ownFiles = new Set(filesOf(template));
  const others = [...output.sources, ...(written?.sources ?? []), ...files, ...installedInputs([folder])];
  return {
    files: [...new Set(others)].filter((file) => !ownFiles.has(file)).sort(),
    places: [...places].sort(),
    stems: [...new Set([...stems, ...(module?.missing ?? [])])],
    trees,
    environment: [...new Set([...(output.environment ?? []), ...(module?.environment ?? [])])].sort(),
  };
}

/** Every file that a compiled template was made from, absolute, sorted. */
function sourcesOf({ template, output, module, written }: Parts): string[] {
  const { variablesFile } = template;
  const files = [
    ...output.sources,
    ...(written?.sources ?? []),
    ...(variablesFile === undefined ? [] : [variablesFile]),
    ...(module?.sources ?? []),
    ...filesOf(template),
  ];
  return [...new Set(files)].sort();
}

/** The template's own files. */
function filesOf({ body, text, metadataSource, fixtures }: Template): string[] {
  const sources = [body, ...(text ? [text] : []), ...(metadataSource ? [metadataSource] : [])];
  return [...sources, ...fixtures.map(({ source }) => source)].map(({ file }) => file);
}

interface WrittenText extends Tokenised {
  readonly sources: readonly string[];
}

/** The hand-written text body next to the template; undefined if it is to be derived. */
async function readWrittenText(template: Template, findings: Findings): Promise<WrittenText | undefined> {
  if (!template.text) return undefined;
  const tags: TagTable = [];
  const parts = new PartReader(template.root, findings);
  const { verbatim = false } = template.metadata;
  const { text } = await assemble([template.text], { parts, tags, findings, verbatim });
  return { text: verbatim ? text : text.trimEnd(), tags, sources: [template.text.file, ...parts.sources] };
}
