import type { Inputs } from "../cache/inputs.js";
import type { Diagnostic } from "../diagnostic.js";
import { LettershopError } from "../errors.js";
import { Interruption } from "../process/host.js";
import { sampleOf } from "../mustache/sample.js";
import { restore, type TagTable, token } from "../mustache/tokens.js";
import {
  type CompiledTemplate,
  type CompileResult,
  type Template,
  type TemplateFields,
  templateHash,
} from "../project/template.js";
import { mixedKinds } from "../project/mixed-kinds.js";
import type { VariablesModule } from "../project/variables-module.js";
import { resolveAssetsOf } from "./assets.js";
import { readBodies } from "./bodies.js";
import { type Compilation, restoreBodies } from "./compilation.js";
import { nameConditions } from "./conditions.js";
import { makeContract } from "./contract.js";
import type { CompileContext, EngineOutput } from "./engine.js";
import { engineOf } from "./engines.js";
import { Findings } from "./findings.js";
import { checkInvariants } from "./invariants/invariants.js";
import { listsOf } from "./lists.js";
import { readVariables } from "./read-variables.js";
import { type SitedHtml, withoutSites } from "./source/sites.js";
import { deriveText } from "./text/derive.js";
import { positionNear, type Tokenised } from "./tokenised.js";
import { tolerated } from "./verbatim.js";
import { mergeCases, wholeSections } from "./whole-sections.js";
import { scanMarkup, VOID_ELEMENTS } from "../text/markup/scan.js";
import { installedInputs, moduleInputs } from "../process/module-inputs.js";
import { assemble } from "./source/assemble.js";
import { PartReader } from "./source/parts.js";

/** A result, and what it was made from. */
export interface UncachedResult {
  readonly result: CompileResult;
  readonly inputs: Inputs;
  /** The HTML body, with the positions of its tags; absent if there was an error. */
  readonly html?: Tokenised;
  /** The same with the positions of its elements, in a sited compile. */
  readonly sited?: SitedHtml;
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
  return {
    result: { name, template, diagnostics: [diagnostic] },
    inputs: { files: [] },
  };
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
  const parts: Parts = { template, output, module, written, places: new Set() };
  const finished = findings.hasErrors ? undefined : await finish(parts, context, findings);
  const { compiled, html, sited } = finished ?? {};
  const diagnostics = findings.sorted().map((diagnostic) => ({ template: template.name, ...diagnostic }));
  const sample =
    compiled && !isSchemaWritten(module) && lacksOnlyExample(diagnostics)
      ? sampleOf(compiled.contract.input)
      : undefined;
  const result = { name: template.name, template, diagnostics, ...(sample && { sample }) };
  return {
    result: compiled && !findings.hasErrors ? { ...result, compiled } : result,
    inputs: inputsOf(parts, context),
    ...(html && { html }),
    ...(sited && { sited }),
  };
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
}

interface Finished extends Pick<UncachedResult, "sited"> {
  readonly compiled: CompiledTemplate;
  readonly html: Tokenised;
}

/** The steps after the engine's HTML, which are the same for every engine. */
async function finish(parts: Parts, context: CompileContext, findings: Findings): Promise<Finished | undefined> {
  const { template, module, places } = parts;
  const bodies = readBodies(template, parts.output, { context, findings, places });
  const { output, names, subject } = bodies;
  const { tags, title = "", expected, ownNames, moments = [] } = output;
  // In code, an image in _assets is referred to as in the body.
  const previewProps = output.previewProps && resolveAssetsOf(output.previewProps, { template, context, places });
  const html = { text: withoutSites(bodies.html.text), tags };
  const written = parts.written && nameConditions(parts.written, names);
  findings.add(checkNesting(html, template));
  if (findings.hasErrors) return undefined;

  // The source's tags tell the variables' types: compiling may have moved one into an unrelated section.
  const source = expected ? { text: expected.map(token).join(""), tags } : html;
  const texts = [subject, source, ...(written ? [written] : [])].map((body) => restore(body.text, body.tags, "html"));
  const conditions = [...names.list];
  const contractResult = makeContract({ template, module, texts, conditions, ownNames, previewProps });
  findings.add(contractResult.diagnostics);
  const whole = wholeSections(html, contractResult.contract);
  const derived = written
    ? undefined
    : await deriveText(whole.text, whole.tags, listsOf(whole, contractResult.contract, names));
  const hasNewConditions = names.list.length > conditions.length;
  const { contract, fixtures } = hasNewConditions
    ? makeContract({ template, module, texts, conditions: names.list, ownNames, previewProps })
    : contractResult;
  const compilation: Compilation = {
    template,
    subject,
    html,
    whole,
    title,
    contract,
    text: written ?? derived ?? { text: "", tags },
    ...(expected && { expected }),
    ...(ownNames && { ownNames }),
    ...(derived && { skippedInText: derived.skipped }),
    ...(derived?.hiding !== undefined && { hiding: derived.hiding }),
  };
  const fields: TemplateFields = {
    name: template.name,
    description: template.metadata.description ?? "",
    ...restoreBodies(
      !derived || whole.text === html.text ? compilation : { ...compilation, text: mergeCases(compilation.text) },
    ),
  };
  findings.add(output.checkContract?.(contract) ?? []);
  findings.add(tolerated(await checkInvariants({ compilation, fields, fixtures, context, moments }), template));
  const { engine } = template;
  const compiled = { ...fields, engine, contract, fixtures, sources: sourcesOf(parts), hash: templateHash(fields) };
  return {
    compiled,
    html,
    ...(output.places && { sited: { ...wholeSections(bodies.html, contract), places: output.places } }),
  };
}

/** The same limit as for sections. Browsers allow 512, but every tree walk needs memory for each level. */
const DEEPEST = 200;

/** Elements whose closing tags may be omitted, so that opening tags don't show their depth. */
const ENDS_BY_ITSELF: ReadonlySet<string> = new Set(
  "p li dt dd tr td th thead tbody tfoot colgroup option optgroup html head body".split(" "),
);

/** Invariant: elements are not nested deeper than email clients and the derivation of the text body can handle. */
function checkNesting(html: Tokenised, { body: { file } }: Template): Diagnostic[] {
  let depth = 0;
  for (const piece of scanMarkup(html.text).pieces) {
    if (piece.kind !== "open" && piece.kind !== "close") continue;
    if (VOID_ELEMENTS.has(piece.name) || ENDS_BY_ITSELF.has(piece.name)) continue;
    if (piece.kind === "close") depth = Math.max(0, depth - 1);
    else if (!piece.selfClosing) depth += 1;
    if (depth <= DEEPEST) continue;
    return [
      {
        rule: "markup-unbalanced",
        severity: "error",
        message: `Elements are nested more than ${DEEPEST} deep; the innermost is <${piece.name}>.`,
        at: positionNear(html, piece.start) ?? { file },
        hint: "Is a closing tag missing, or written as an opening one?",
      },
    ];
  }
  return [];
}

interface CompiledFrom {
  readonly template: Template;
  readonly output: EngineOutput;
  readonly module: VariablesModule | undefined;
  readonly written: WrittenText | undefined;
  readonly places: ReadonlySet<string>;
}

/** What a template was compiled from, in addition to its own files. */
function inputsOf(from: CompiledFrom, { folder }: CompileContext): Inputs {
  const { template, output, module, written, places } = from;
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
function sourcesOf({ template, output, module, written }: Omit<CompiledFrom, "places">): string[] {
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
  const { text } = await assemble([template.text], { root: template.root, parts, tags, findings, verbatim });
  return { text: verbatim ? text : text.trimEnd(), tags, sources: [template.text.file, ...parts.sources] };
}
