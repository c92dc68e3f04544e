import { SUBJECT_MAX } from "../../api/limits.js";
import type { SourcePosition } from "../../diagnostic.js";
import { Shape } from "../../mustache/shape.js";
import { restore } from "../../mustache/tokens.js";
import type { Condition } from "../../mustache/variables.js";
import type { Bundle } from "../../process/bundle.js";
import type { TaskContext } from "../../process/host.js";
import type { Reads } from "../../process/module-inputs.js";
import { openedFor, withoutNulls } from "../typed-examples.js";
import type { LocatedOwnName, NamedComputation } from "./document/names.js";
import { type DocumentPart, factor, prune } from "./document/simplify.js";
import { type LocatedTag, MustacheWriter } from "./document/write.js";
import { exampleSchema, type KnownProps, type PreviewProps, previewPropsOf, withExamples } from "./props-schema.js";
import { renderSymbolic, textSymbolic } from "./render-symbolic.js";
import { decodeReactEntities, loadReact, withDoctype } from "./react-html.js";
import { RUNTIME_KEY } from "./rewrite/rewriter.js";
import { registerReact } from "./runtime/calls.js";
import { numberElements } from "./runtime/components.js";
import { resetComputedKeys } from "./runtime/expression.js";
import { createModuleRuntime, type ModuleRuntime, PACKAGE_RUNTIME } from "./runtime/module-runtime.js";
import { PackageUses, usePackages } from "./runtime/package-uses.js";
import type { SymbolicVariables } from "./runtime/paths.js";
import { startRendering, type Unsupported } from "./runtime/rendering.js";
import type { SourceRange } from "./runtime/symbolic.js";
import { changingFindings, type EnvironmentEffect, environmentEffects, frozenMoments } from "./surroundings.js";

export interface CompileInput extends KnownProps {
  /** The rewritten modules. */
  readonly bundle: Bundle;
}

export interface CompileOutput extends PreviewProps {
  /** Tokenised. */
  readonly html: string;
  /** Tokenised plain text: the subject that the module exports, or else the document's title; empty if there is neither. */
  readonly title: string;
  readonly tags: readonly LocatedTag[];
  readonly conditions: readonly Condition[];
  /** How the computed ones among them came about, in their order. */
  readonly computed: readonly NamedComputation[];
  /** See `EngineOutput.ownNames`. */
  readonly ownNames: readonly Omit<LocatedOwnName, "list">[];
  readonly findings: readonly Unsupported[];
  /** The positions of elements, if they were bundled with positions: see `EngineOutput.places`. */
  readonly places: readonly SourceRange[];
  readonly reads: Reads;
  /** Where own modules read a date or a time of day that ends up in the body. */
  readonly frozenMoments: readonly SourcePosition[];
  /** The environment variables that own modules read and that change the body. */
  readonly environmentEffects: readonly EnvironmentEffect[];
}

/** Loads what compiling any component needs. */
export function prepareWorker({ file }: { readonly file: string }): void {
  installRuntime();
  loadReact(file);
}

/** Renders a component with symbolic variables, in a worker. */
export async function compileComponent(
  { bundle, derived = [], ...received }: CompileInput,
  context: TaskContext,
): Promise<CompileOutput | "no component"> {
  installRuntime();
  const module = await loadWithPackages(() => context.load(bundle));
  if (!isComponent(module.default)) return "no component";
  const preview = previewPropsOf(module.default);
  const variables = { shape: shapeOf(received, preview), sure: received.schema !== undefined, derived };
  const shown = variables.sure && !received.isOpen ? undefined : variables.shape.names;
  const bodies = await writeBodies(module, { variables, shown, file: bundle.file });
  const { writer, html, title, findings } = bodies;
  const reads = context.reads();
  const renderAgain = async (): Promise<Bodies | undefined> => {
    try {
      const again = await loadWithPackages(() => context.loadAgain(bundle));
      return await writeBodies(again, { variables, shown, file: bundle.file });
    } catch {
      return undefined;
    }
  };
  const renderWhole = async (): Promise<string | undefined> => {
    const again = await renderAgain();
    return again && wholeOf(again);
  };
  const changing = await changingFindings(bodies, reads.moments, renderAgain);
  const frozen = findings.length > 0 ? [] : await frozenMoments(reads.moments, renderWhole);
  const effects = await environmentEffects(reads.environment, {
    body: wholeOf(bodies),
    render: renderWhole,
    code: [bundle.code, ...(bundle.shared ?? []).map((part) => part.code)].join("\n"),
  });
  const numbered = numberElements(html);
  return {
    html: withDoctype(numbered.html),
    places: numbered.places,
    title,
    tags: writer.tags,
    conditions: writer.conditions,
    computed: writer.computed,
    ownNames: writer.ownNames.map(({ within, name, site }) => ({ within, name, site })),
    findings: [...findings, ...changing],
    reads,
    frozenMoments: frozen,
    environmentEffects: effects,
    ...preview,
  };
}

const packagesOf = new WeakMap<object, PackageUses>();

/** Loads the rewritten modules to render with them, and knows what they use of packages. They may be loaded already. */
async function loadWithPackages(
  load: () => Promise<Readonly<Record<string, unknown>>>,
): Promise<Readonly<Record<string, unknown>>> {
  resetComputedKeys();
  startRendering([]).isLoading = true;
  const uses = new PackageUses();
  usePackages(uses);
  const module = await load();
  const known = packagesOf.get(module) ?? uses;
  packagesOf.set(module, known);
  usePackages(known);
  return module;
}

type Bodies = Awaited<ReturnType<typeof writeBodies>>;

interface BodiesInput {
  readonly variables: SymbolicVariables;
  /** The names of known variables, if no schema declares all of them. */
  readonly shown: readonly string[] | undefined;
  readonly file: string;
}

async function writeBodies(
  { default: component, subject }: Readonly<Record<string, unknown>>,
  { variables, shown, file }: BodiesInput,
) {
  const react = loadReact(file);
  registerReact(react);
  const body = await renderSymbolic(component, variables, react);
  const title =
    subject === undefined
      ? { ...body, parts: titleOf(body.parts), findings: [] }
      : await textSymbolic(subject, variables);
  const computations = new Map([...body.computations, ...title.computations]);
  const [bodyParts, titleParts] = [factor(prune(body.parts)), factor(prune(title.parts))];
  const draft = new MustacheWriter(file, computations, shown);
  draft.write(bodyParts);
  const isLong = restore(draft.write(titleParts), draft.tags, "text").length > SUBJECT_MAX;
  const writer = new MustacheWriter(file, computations, shown, draft.ownNames);
  const html = writer.write(bodyParts);
  const text = writer.write(titleParts, isLong);
  const all = [...body.findings, ...title.findings, ...writer.findings];
  return { html, title: text, writer, computations, findings: all };
}

function wholeOf({ html, title, writer: { tags } }: Bodies): string {
  return [title, html].map((text) => restore(text, tags, "html")).join("\n");
}

/** Without examples and without a complete schema, `PreviewProps` is used. */
function shapeOf({ schema, isOpen, examples }: KnownProps, { previewProps }: PreviewProps): Shape {
  if (schema && !isOpen) return Shape.of(schema);
  const preview = examples.length === 0 ? previewProps : undefined;
  if (schema && preview) {
    const opened = openedFor(preview, schema);
    return Shape.of(withExamples(opened, [withoutNulls(preview, opened)]));
  }
  if (schema) return Shape.of(withExamples(schema, examples));
  const known = preview ? [preview] : examples;
  return known.length > 0 ? Shape.of(exampleSchema(known)) : Shape.UNKNOWN;
}

function isComponent(value: unknown): boolean {
  return typeof value === "function" || (typeof value === "object" && value !== null && "$$typeof" in value);
}

const runtimes = new Map<string, ModuleRuntime>();

/** Puts the runtime where rewritten modules look for it. */
export function installRuntime(): void {
  Reflect.set(globalThis, Symbol.for(RUNTIME_KEY), runtimeOf);
}

/** @param file The calling module, if it was rewritten. */
function runtimeOf(file?: string): ModuleRuntime | typeof PACKAGE_RUNTIME {
  if (file === undefined) return PACKAGE_RUNTIME;
  const runtime = runtimes.get(file) ?? createModuleRuntime(file);
  runtimes.set(file, runtime);
  return runtime;
}

/**
 * The content of a document's first `<title>`, as plain text; empty if there is none. React Email 6 adds one with each
 * `<Preview>`. If a choice decides which is first, returns that choice.
 */
function titleOf(parts: readonly DocumentPart[]): readonly DocumentPart[] {
  return firstTitle(parts) ?? [];
}

function firstTitle(parts: readonly DocumentPart[]): readonly DocumentPart[] | undefined {
  let title: DocumentPart[] | undefined;
  for (const [index, part] of parts.entries()) {
    if (part.kind === "text") {
      for (const piece of part.text.split(/(<title\b[^>]*>|<\/title>)/i)) {
        if (/^<title\b/i.test(piece)) title = [];
        else if (/^<\/title/i.test(piece)) return title;
        else title?.push({ kind: "text", text: decodeReactEntities(piece) });
      }
    } else if (title) title.push(decoded(part));
    else if (part.kind === "alternative") {
      const [yes, no] = [firstTitle(part.yes), firstTitle(part.no)];
      if (!yes && !no) continue;
      const next = yes && no ? [] : titleOf(parts.slice(index + 1));
      return [{ ...part, yes: [...(yes ?? next)], no: [...(no ?? next)] }];
    }
  }
  return title;
}

function decoded(part: DocumentPart): DocumentPart {
  if (part.kind === "text") return { kind: "text", text: decodeReactEntities(part.text) };
  if (part.kind === "each") return { ...part, body: part.body.map(decoded) };
  return part.kind === "alternative" ? { ...part, yes: part.yes.map(decoded), no: part.no.map(decoded) } : part;
}
