import { createRequire } from "node:module";
import { SUBJECT_MAX } from "../../api/limits.js";
import type { Bundle } from "../../process/bundle.js";
import type { Reads } from "../../process/reads.js";
import type { TaskContext } from "../../process/host.js";
import { restore } from "../../mustache/tokens.js";
import { Shape } from "../../mustache/shape.js";
import type { Condition, Variables, VariablesSchema } from "../../mustache/variables.js";
import { type EnvironmentEffect, environmentEffects } from "./environment-effects.js";
import { exampleSchema, withExamples } from "./example-schema.js";
import { factor } from "./document/factor.js";
import type { SitedOwnName } from "./document/names.js";
import { type SitedTag, Writer } from "./document/write.js";
import { type PreviewProps, previewPropsOf } from "./preview-props.js";
import { type ReactLibrary, withDoctype } from "./render-html.js";
import { renderSymbolic, type SymbolicVariables, textSymbolic } from "./render-symbolic.js";
import { restartKeys } from "./runtime/computations.js";
import { numberPlaces } from "./runtime/places.js";
import { watchReact } from "./runtime/react-functions.js";
import { type Finding, startRendering } from "./runtime/rendering.js";
import type { Site } from "./runtime/symbolic.js";
import { openedFor, withoutNulls } from "../typed-examples.js";
import { RUNTIME_KEY } from "./runtime/key.js";
import { ModuleRuntime } from "./runtime/module-runtime.js";
import { answerFrom, type Fact } from "./runtime/facts.js";
import type { Part } from "./document/tree.js";

export interface CompileInput {
  /** The rewritten modules. */
  readonly bundle: Bundle;
  /** The schema of the component's props, if known. */
  readonly schema?: VariablesSchema;
  /** Whether the schema leaves types open that only examples show. */
  readonly isOpen?: boolean;
  /** Examples of the props; without them and without a schema, `PreviewProps` is used. */
  readonly examples: readonly Variables[];
  /** Names in the schema that are only known from examples. */
  readonly derived?: readonly string[];
}

export interface CompileOutput {
  /** Tokenised. */
  readonly html: string;
  /** Tokenised plain text: the subject that the module exports, or else the document's title; empty if there is neither. */
  readonly title: string;
  readonly tags: readonly SitedTag[];
  readonly conditions: readonly Condition[];
  /** See `EngineOutput.ownNames`. */
  readonly ownNames: readonly Omit<SitedOwnName, "list">[];
  readonly findings: readonly Finding[];
  /** The positions of a sited bundle's elements: see `EngineOutput.places`. */
  readonly places: readonly Site[];
  readonly previewProps?: PreviewProps;
  readonly reads: Reads;
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
  restartKeys();
  startRendering([]);
  const module = await context.load(bundle);
  if (!isComponent(module.default)) return "no component";
  const previewProps = previewPropsOf(module.default);
  const variables = { shape: shapeOf(received, previewProps), sure: received.schema !== undefined, derived };
  const shown = variables.sure && !received.isOpen ? undefined : variables.shape.names;
  const bodies = await writeBodies(module, { variables, shown, file: bundle.file });
  const { writer, html, title, findings } = bodies;
  const reads = context.reads();
  const effects = await effectsOf(reads, bodies, bundle, async () => {
    restartKeys();
    startRendering([]);
    return writeBodies(await context.loadAgain(bundle), { variables, shown, file: bundle.file });
  });
  const numbered = numberPlaces(html);
  return {
    html: withDoctype(numbered.html),
    places: numbered.places,
    title,
    tags: writer.tags,
    conditions: writer.conditions,
    ownNames: writer.ownNames.map(({ within, name, site }) => ({ within, name, ...(site && { site }) })),
    findings,
    reads,
    environmentEffects: effects,
    ...(previewProps && { previewProps }),
  };
}

/** Everything that a component's compiled bodies consist of. */
interface Bodies {
  readonly html: string;
  readonly title: string;
  readonly writer: Writer;
  readonly findings: readonly Finding[];
}

interface BodiesInput {
  readonly variables: SymbolicVariables;
  /** The names of known variables, if no schema declares all of them. */
  readonly shown: readonly string[] | undefined;
  readonly file: string;
}

async function writeBodies(
  { default: component, subject }: Readonly<Record<string, unknown>>,
  { variables, shown, file }: BodiesInput,
): Promise<Bodies> {
  const react = loadReact(file);
  watchReact(react);
  const body = await renderSymbolic(component, variables, react);
  const title =
    subject === undefined ? { parts: titleOf(body.parts), findings: [] } : await textSymbolic(subject, variables);
  const [bodyParts, titleParts] = [factor(prune(body.parts)), factor(prune(title.parts))];
  const draft = new Writer(file, shown);
  draft.write(bodyParts);
  const isLong = restore(draft.write(titleParts), draft.tags, "text").length > SUBJECT_MAX;
  const writer = new Writer(file, shown, draft.ownNames);
  const html = writer.write(bodyParts);
  const text = writer.write(titleParts, isLong);
  return { html, title: text, writer, findings: [...body.findings, ...title.findings, ...writer.findings] };
}

function effectsOf(
  { environment }: Reads,
  bodies: Bodies,
  { code, shared = [] }: Bundle,
  writeAgain: () => Promise<Bodies>,
): Promise<EnvironmentEffect[]> {
  return environmentEffects(environment, wholeOf(bodies), {
    render: () => writeAgain().then(wholeOf, () => undefined),
    code: [code, ...shared.map((part) => part.code)].join("\n"),
  });
}

function wholeOf({ html, title, writer: { tags } }: Bodies): string {
  return [title, html].map((text) => restore(text, tags, "html")).join("\n");
}

export function loadReact(file: string): ReactLibrary {
  const require = createRequire(file);
  return { ...require("react"), ...require("react-dom/server") };
}

function shapeOf({ schema, isOpen, examples }: Omit<CompileInput, "bundle">, previewProps: PreviewProps): Shape {
  if (schema && !isOpen) return Shape.of(schema);
  const preview = previewProps && "variables" in previewProps ? previewProps.variables : undefined;
  const isPreview = examples.length === 0 && preview;
  if (schema && isPreview) {
    const opened = openedFor(preview, schema);
    return Shape.of(withExamples(opened, [withoutNulls(preview, opened)]));
  }
  if (schema) return Shape.of(withExamples(schema, examples));
  const known = isPreview ? [preview] : examples;
  return known.length > 0 ? Shape.of(exampleSchema(known)) : Shape.UNKNOWN;
}

function isComponent(value: unknown): boolean {
  return typeof value === "function" || (typeof value === "object" && value !== null && "$$typeof" in value);
}

const runtimes = new Map<string | undefined, ModuleRuntime>();

/** Puts the runtime where rewritten modules look for it. */
export function installRuntime(): void {
  Reflect.set(globalThis, Symbol.for(RUNTIME_KEY), runtimeOf);
}

function runtimeOf(file?: string): ModuleRuntime {
  const runtime = runtimes.get(file) ?? new ModuleRuntime(file);
  runtimes.set(file, runtime);
  return runtime;
}

/** Removes impossible cases: inside "if there is a note", the case that there is none. */
export function prune(parts: readonly Part[], facts: readonly Fact[] = []): Part[] {
  return parts.flatMap((part): Part[] => {
    if (part.kind === "each") {
      const some: Fact = { test: { path: part.loop.list, question: { kind: "has-items" } }, answer: true };
      return [{ ...part, body: prune(part.body, [...facts, some]) }];
    }
    if (part.kind !== "alternative") return [part];
    const { test } = part;
    const answer = answerFrom(facts, test);
    if (answer !== undefined) return prune(answer ? part.yes : part.no, facts);
    return [
      {
        ...part,
        yes: prune(part.yes, [...facts, { test, answer: true }]),
        no: prune(part.no, [...facts, { test, answer: false }]),
      },
    ];
  });
}

/**
 * The content of a document's first `<title>`, as plain text; empty if there is none. React Email 6 adds one with each
 * `<Preview>`. If a choice decides which is first, returns that choice.
 */
function titleOf(parts: readonly Part[]): readonly Part[] {
  return firstTitle(parts) ?? [];
}

function firstTitle(parts: readonly Part[]): readonly Part[] | undefined {
  let title: Part[] | undefined;
  for (const [index, part] of parts.entries()) {
    if (part.kind === "text") {
      for (const piece of part.text.split(/(<title\b[^>]*>|<\/title>)/i)) {
        if (/^<title\b/i.test(piece)) title = [];
        else if (/^<\/title/i.test(piece)) return title;
        else title?.push({ kind: "text", text: decodeEntities(piece) });
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

function decoded(part: Part): Part {
  if (part.kind === "text") return { kind: "text", text: decodeEntities(part.text) };
  if (part.kind === "each") return { ...part, body: part.body.map(decoded) };
  return part.kind === "alternative" ? { ...part, yes: part.yes.map(decoded), no: part.no.map(decoded) } : part;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00A0" };

/** Decodes HTML text: the entities that React writes, and numeric ones. */
export function decodeEntities(html: string): string {
  return html.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name = "") => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return ENTITIES[name] ?? whole;
  });
}
