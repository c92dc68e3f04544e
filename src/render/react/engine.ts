import type { Diagnostic, SourcePosition } from "../../diagnostic.js";
import type { Bundle } from "../../modules/bundle.js";
import { ModuleError } from "../../modules/module-error.js";
import { positionAt } from "../../position.js";
import type { Task } from "../../modules/task.js";
import type { Template } from "../../template/template.js";
import type { VariablesModule } from "../../template/variables-module.js";
import type { CompileContext, EngineOutput } from "../engine.js";
import type { compileComponent, CompileOutput } from "./compile-task.js";
import { rewrittenBundle } from "./component-bundles.js";
import { positionOf } from "./describe.js";
import type { Sources } from "./sources.js";
import { diagnose } from "./diagnose.js";
import { handedOn } from "./handed-on.js";
import { requireReact } from "./peers.js";
import { receivedVariables } from "./received.js";
import { refusedByReact } from "./refused-by-react.js";
import { reservedCharacters } from "./reserved.js";
import type { Site } from "./runtime/symbolic.js";

const COMPILE: Task<typeof compileComponent> = {
  module: new URL("./compile-task.js", import.meta.url),
  name: "compileComponent",
};

/**
 * Renders a React component once for all emails: in the place of its variables it is given symbolic values, which print
 * as tags, make sections of `.map` and of choices, and tell where a component asks for more than Mustache can do.
 *
 * @example
 * const { html, tags, conditions, diagnostics } = await compileReact(template, context);
 *
 * @param variables What the template's `variables.ts` says; without it, it is read.
 * @throws {MissingPeerError} React or rolldown is not installed.
 */
export async function compileReact(
  template: Template,
  context: CompileContext,
  variables?: VariablesModule,
): Promise<EngineOutput> {
  requireReact(template);
  const texts = new Map<string, string>();
  let bundle: Bundle | undefined;
  try {
    bundle = await rewrittenBundle(template, context, texts);
    const reserved = reservedCharacters(template.name, texts);
    if (reserved.length > 0) return failed(template, bundle.sources, reserved);
    const received = await receivedVariables(template, context, variables);
    const output = await context.host.run(COMPILE, { bundle, ...received });
    if (output === "no component") return failed(template, bundle.sources, [noComponent(template)]);
    const diagnostics = await diagnose(output, template, { sources: texts, received });
    return toEngineOutput(output, { template, files: bundle.sources, texts, diagnostics });
  } catch (error) {
    if (!(error instanceof ModuleError)) throw error;
    const diagnostic = inSourceWords(error.toDiagnostic("react-component", template.name), texts);
    const sources = bundle?.sources ?? [...texts.keys()];
    const refused = diagnostic.at?.line === undefined ? refusedByReact(diagnostic.message, texts) : {};
    return failed(template, sources, [{ ...hintFor(error), ...diagnostic, ...refused }]);
  }
}

function hintFor(error: ModuleError): Pick<Diagnostic, "hint"> {
  // Placeholders have no part in a name that nothing has.
  if (error.cause instanceof Error && /^ReferenceError\b/.test(error.cause.stack ?? "")) return { hint: UNDEFINED };
  return isOfRendering(error) ? { hint: PLACEHOLDERS } : {};
}

/** Whether it was thrown by a component, and not while modules were loaded. */
function isOfRendering({ cause }: ModuleError): boolean {
  return cause instanceof Error && /\breact-dom\b/.test(cause.stack ?? "") && !cause.message.startsWith("process.");
}

const UNDEFINED = "Nothing of that name is in reach here: import it, or take it from the props.";
const PLACEHOLDERS =
  "It ran with placeholders in the place of its variables. If it works with real ones, a package can't do with these: compute what it gives in derive (variables.ts).";

/** `t is not a function`, where the engine's own words are about what a call was rewritten to. */
function inSourceWords(diagnostic: Diagnostic, texts: Sources): Diagnostic {
  const { at, message } = diagnostic;
  const line = texts.get(at?.file ?? "")?.split("\n")[(at?.line ?? 0) - 1] ?? "";
  const column = (at?.column ?? 1) - 1;
  const [before] = /[\w$.?]*$/.exec(line.slice(0, column)) ?? [""];
  const [after] = /^[\w$.?]*/.exec(line.slice(column)) ?? [""];
  const called = before + after || "What is called";
  return { ...diagnostic, message: message.replace(/_*__lettershop\(\.\.\.\)\S* (?=is not a )/, `${called} `) };
}

interface Surroundings {
  readonly template: Template;
  readonly files: readonly string[];
  readonly texts: Sources;
  readonly diagnostics: readonly Diagnostic[];
}

function toEngineOutput(
  { html, title, tags, conditions, ownNames, findings, places, previewProps, reads }: CompileOutput,
  { template, files, texts, diagnostics }: Surroundings,
): EngineOutput {
  const { file } = template.body;
  const preview = previewProps && "variables" in previewProps ? previewProps.variables : undefined;
  const placeOf = (site: Site | undefined): SourcePosition => (site ? positionOf(site, texts) : { file });
  const printed = tags.map(({ text, site }) => ({ text, at: site ? placeOf(site) : writtenAt(text, file, texts) }));
  return {
    html: findings.some(({ rule }) => rule === undefined) ? "" : html,
    tags: handedOn(printed, { body: template.body, sources: texts }),
    ...(title !== "" && { title }),
    conditions,
    ownNames: ownNames.map(({ site, ...own }) => ({ ...own, at: placeOf(site) })),
    ...(preview && { previewProps: preview }),
    ...(places.length > 0 && { places: places.map((site) => ({ at: placeOf(site), note: "" })) }),
    sources: [...new Set([...files, ...reads.files])].sort(),
    environment: reads.environment.map((read) => read.name),
    moments: reads.moments,
    diagnostics,
  };
}

/** Where a tag stands that a component writes itself; the component's file alone where it is put together. */
function writtenAt(tag: string, file: string, texts: Sources): SourcePosition {
  for (const [source, text] of [[file, texts.get(file) ?? ""] as const, ...texts]) {
    const offset = text.indexOf(tag);
    if (offset >= 0) return { file: source, ...positionAt(text, offset) };
  }
  return { file };
}

function failed({ body }: Template, sources: readonly string[], diagnostics: readonly Diagnostic[]): EngineOutput {
  return { html: "", tags: [], sources: sources.length > 0 ? sources : [body.file], diagnostics };
}

function noComponent({ name, body }: Template): Diagnostic {
  return {
    rule: "react-component",
    severity: "error",
    message: "The file exports no component by default.",
    template: name,
    at: { file: body.file },
    hint: "Write `export default function Email(props) { … }`.",
  };
}
