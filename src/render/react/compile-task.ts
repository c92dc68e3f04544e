import { createRequire } from "node:module";
import { SUBJECT_MAX } from "../../api/limits.js";
import type { Bundle } from "../../modules/bundle.js";
import type { Reads } from "../../modules/reads.js";
import type { TaskContext } from "../../modules/task.js";
import { restore } from "../../mustache/tokens.js";
import { Shape } from "../../mustache/shape.js";
import type { Condition, Variables, VariablesSchema } from "../../mustache/variables.js";
import { exampleSchema } from "./example-schema.js";
import { factor } from "./document/factor.js";
import type { SitedOwnName } from "./document/names.js";
import { prune } from "./document/prune.js";
import { titleOf } from "./document/title.js";
import { Writer, type SitedTag } from "./document/write.js";
import { previewPropsOf, type PreviewProps } from "./preview-props.js";
import { withDoctype, type ReactLibrary } from "./render-html.js";
import { renderSymbolic, textSymbolic } from "./render-symbolic.js";
import { restartKeys } from "./runtime/computations.js";
import { installRuntime } from "./runtime/install.js";
import { numberPlaces } from "./runtime/places.js";
import { watchReact } from "./runtime/react-functions.js";
import { startRendering, type Finding } from "./runtime/rendering.js";
import type { Site } from "./runtime/symbolic.js";

export interface CompileInput {
  /** Of rewritten modules. */
  readonly bundle: Bundle;
  /** What the component receives, where a schema says so. */
  readonly schema?: VariablesSchema;
  /** Examples of what it receives; without them and without a schema `PreviewProps` is one. */
  readonly examples: readonly Variables[];
  /** The names of what the schema has from the examples alone. */
  readonly derived?: readonly string[];
}

export interface CompileOutput {
  /** Tokenised. */
  readonly html: string;
  /** Tokenised plain text: what the module exports as its subject, else the document's title; empty without either. */
  readonly title: string;
  readonly tags: readonly SitedTag[];
  readonly conditions: readonly Condition[];
  /** See `EngineOutput.ownNames`. */
  readonly ownNames: readonly Omit<SitedOwnName, "list">[];
  readonly findings: readonly Finding[];
  /** Of a sited bundle's elements: see `EngineOutput.places`. */
  readonly places: readonly Site[];
  readonly previewProps?: PreviewProps;
  readonly reads: Reads;
}

/** Loads what compiling any component takes. */
export function prepareWorker({ file }: { readonly file: string }): void {
  installRuntime();
  loadReact(file);
}

/** Renders a component with symbolic variables, in a worker. */
export async function compileComponent(
  { bundle, schema, examples, derived = [] }: CompileInput,
  context: TaskContext,
): Promise<CompileOutput | "no component"> {
  installRuntime();
  restartKeys();
  startRendering([]);
  const { default: component, subject } = await context.load(bundle);
  if (!isComponent(component)) return "no component";
  const previewProps = previewPropsOf(component);
  const variables = { shape: shapeOf(schema, examples, previewProps), sure: schema !== undefined, derived };
  const react = loadReact(bundle.file);
  watchReact(react);
  const body = await renderSymbolic(component, variables, react);
  const title =
    subject === undefined ? { parts: titleOf(body.parts), findings: [] } : await textSymbolic(subject, variables);
  const [bodyParts, titleParts] = [factor(prune(body.parts)), factor(prune(title.parts))];
  const shown = variables.sure ? undefined : variables.shape.names;
  const draft = new Writer(bundle.file, shown);
  draft.write(bodyParts);
  const isLong = restore(draft.write(titleParts), draft.tags, "text").length > SUBJECT_MAX;
  const writer = new Writer(bundle.file, shown, draft.ownNames);
  const html = writer.write(bodyParts);
  const text = writer.write(titleParts, isLong);
  const numbered = numberPlaces(html);
  return {
    html: withDoctype(numbered.html),
    places: numbered.places,
    title: text,
    tags: writer.tags,
    conditions: writer.conditions,
    ownNames: writer.ownNames.map(({ within, name, site }) => ({ within, name, ...(site && { site }) })),
    findings: [...body.findings, ...title.findings, ...writer.findings],
    reads: context.reads(),
    ...(previewProps && { previewProps }),
  };
}

export function loadReact(file: string): ReactLibrary {
  const require = createRequire(file);
  return { ...require("react"), ...require("react-dom/server") };
}

function shapeOf(
  schema: VariablesSchema | undefined,
  examples: readonly Variables[],
  previewProps: PreviewProps,
): Shape {
  if (schema) return Shape.of(schema);
  const preview = previewProps && "variables" in previewProps ? [previewProps.variables] : [];
  const known = examples.length > 0 ? examples : preview;
  return known.length > 0 ? Shape.of(exampleSchema(known)) : Shape.UNKNOWN;
}

function isComponent(value: unknown): boolean {
  return typeof value === "function" || (typeof value === "object" && value !== null && "$$typeof" in value);
}
