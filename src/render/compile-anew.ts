import type { Inputs } from "../cache/inputs.js";
import type { Diagnostic } from "../diagnostic.js";
import { LettershopError } from "../errors.js";
import { Interruption } from "../modules/interruption.js";
import { sampleOf } from "../mustache/sample.js";
import { restore, token } from "../mustache/tokens.js";
import { templateHash } from "../template/hash.js";
import { mixedKinds } from "../template/mixed-kinds.js";
import type { VariablesModule } from "../template/variables-module.js";
import type { CompiledTemplate, CompileResult, Template, TemplateFields } from "../template/template.js";
import { resolveAssetsOf } from "./assets.js";
import { readBodies } from "./bodies.js";
import { type Compilation, restoreBodies } from "./compilation.js";
import { nameConditions } from "./conditions.js";
import { makeContract } from "./contract.js";
import type { CompileContext, EngineOutput } from "./engine.js";
import { engineOf } from "./engines.js";
import { Findings } from "./findings.js";
import { inputsOf, sourcesOf } from "./compile-inputs.js";
import { checkInvariants } from "./invariants/invariants.js";
import { checkNesting } from "./invariants/nesting.js";
import { listsOf } from "./lists.js";
import { readVariables } from "./read-variables.js";
import { type SitedHtml, withoutSites } from "./source/sites.js";
import { deriveText } from "./text/derive.js";
import { readWrittenText, type WrittenText } from "./text/body.js";
import type { Tokenised } from "./tokenised.js";
import { tolerated } from "./verbatim.js";
import { mergeCases, wholeSections } from "./whole-sections.js";

/** A result, and what it was made from. */
export interface CompiledAnew {
  readonly result: CompileResult;
  readonly inputs: Inputs;
  /** The html body, with where its tags come from; absent where an error stood in the way. */
  readonly html?: Tokenised;
  /** The same with where its elements were written, in a sited compile. */
  readonly sited?: SitedHtml;
}

/** Compiles a template, without asking whether that was done before. What an engine throws is the template's error. */
export async function compileAnew(template: Template, context: CompileContext): Promise<CompiledAnew> {
  try {
    return await compileParts(template, context);
  } catch (error) {
    if (error instanceof LettershopError || error instanceof Interruption) throw error;
    return failed(template, error);
  }
}

function failed(template: Template, error: unknown): CompiledAnew {
  const { name, engine, body } = template;
  const diagnostic: Diagnostic = {
    rule: "compile-failed",
    severity: "error",
    template: name,
    message: `The ${engine} template could not be compiled: ${error instanceof Error ? error.message : String(error)}`,
    at: { file: body.file },
    hint: "Leave parts of it out until it compiles, to find the one that fails.",
  };
  return {
    result: { name, template, diagnostics: [diagnostic] },
    inputs: { files: [] },
  };
}

async function compileParts(template: Template, context: CompileContext): Promise<CompiledAnew> {
  const findings = new Findings();
  const compile = await engineOf(template);
  const reading = readVariables(template, context);
  const [output, module, written] = await Promise.all([
    compile(template, context, () => reading),
    reading,
    readWrittenText(template, findings),
  ]);
  findings.add([...(module?.diagnostics ?? []), ...output.diagnostics]);
  // A component is refused what it does with a variable whose kind nobody can tell.
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

/** A template's files, read. */
interface Parts {
  readonly template: Template;
  readonly output: EngineOutput;
  readonly module: VariablesModule | undefined;
  readonly written: WrittenText | undefined;
  /** Gets the paths at which images were looked for. */
  readonly places: Set<string>;
}

interface Finished extends Pick<CompiledAnew, "sited"> {
  readonly compiled: CompiledTemplate;
  readonly html: Tokenised;
}

/** The steps from the engine's html on, which are the same for every engine. */
async function finish(parts: Parts, context: CompileContext, findings: Findings): Promise<Finished | undefined> {
  const { template, module, places } = parts;
  const bodies = readBodies(template, parts.output, { context, findings, places });
  const { output, names, subject } = bodies;
  const { tags, title = "", expected, ownNames, moments = [] } = output;
  // Written in code, where an image of _assets is named as the body names it.
  const previewProps = output.previewProps && resolveAssetsOf(output.previewProps, { template, context, places });
  const html = { text: withoutSites(bodies.html.text), tags };
  const written = parts.written && nameConditions(parts.written, names);
  findings.add(checkNesting(html, template));
  if (findings.hasErrors) return undefined;

  // The source's tags tell the variables' type: compiling may have brought one into a section that is not about it.
  const source = expected ? { text: expected.map(token).join(""), tags } : html;
  const texts = [subject, source, ...(written ? [written] : [])].map((body) => restore(body.text, body.tags, "html"));
  const conditions = [...names.list];
  const made = makeContract({ template, module, texts, conditions, ownNames, previewProps });
  findings.add(made.diagnostics);
  const whole = wholeSections(html, made.contract);
  const derived = written ? undefined : await deriveText(whole.text, whole.tags, listsOf(whole, made.contract, names));
  const isAsked = names.list.length > conditions.length;
  const { contract, fixtures } = isAsked
    ? makeContract({ template, module, texts, conditions: names.list, ownNames, previewProps })
    : made;
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
