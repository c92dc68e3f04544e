import type { Diagnostic, SourcePosition } from "../../diagnostic.js";
import type { Bundle } from "../../process/bundle.js";
import { ModuleError } from "../../process/module-error.js";
import type { Variables, VariablesSchema } from "../../mustache/variables.js";
import type { Task } from "../../process/host.js";
import type { Template } from "../../project/template.js";
import type { VariablesModule } from "../../project/variables-module.js";
import type { CompileContext, EngineOutput } from "../engine.js";
import type { compileComponent, CompileOutput } from "./compile-task.js";
import { rewrittenBundle, type Sources } from "./component-bundles.js";
import { positionOf } from "./describe.js";
import { diagnose } from "./diagnose.js";
import { handedOn } from "./handed-on.js";
import { receivedVariables, type ReceivedVariables } from "./received.js";
import { refusedByReact } from "./refused-by-react.js";
import type { Site } from "./runtime/symbolic.js";
import { positionAt } from "../../text/position.js";
import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { MissingPeerError } from "../../errors.js";
import { scan } from "../../mustache/scan.js";
import type { SitedTag } from "./document/write.js";

const COMPILE: Task<typeof compileComponent> = {
  module: new URL("./compile-task.js", import.meta.url),
  name: "compileComponent",
};

/**
 * Renders a React component once for all emails: it receives symbolic values instead of variables. They print as tags,
 * turn `.map` and choices into sections, and detect operations that Mustache can't do.
 *
 * @example
 * const { html, tags, conditions, diagnostics } = await compileReact(template, context, () => readVariables(template, context));
 *
 * @param readVariables Reads the template's `variables.ts`, for example to know which variables are lists.
 * @throws {MissingPeerError} React or rolldown is not installed.
 */
export async function compileReact(
  template: Template,
  context: CompileContext,
  readVariables: () => Promise<VariablesModule | undefined>,
): Promise<EngineOutput> {
  requireReact(template);
  const texts = new Map<string, string>();
  let bundle: Bundle | undefined;
  try {
    bundle = await rewrittenBundle(template, context, texts);
    const reserved = reservedCharacters(template.name, texts);
    if (reserved.length > 0) return failed(template, bundle.sources, reserved);
    const received = receivedVariables(template, await readVariables());
    const output = await context.host.run(COMPILE, { bundle, ...received });
    if (output === "no component") return failed(template, bundle.sources, [noComponent(template)]);
    const diagnosed = await diagnose(output, template, { sources: texts, received });
    const known = { ...received, examples: examplesOf(received, output) };
    const literal = literalTags(output.tags, template, { received: known, sources: texts });
    const diagnostics = [...diagnosed, ...literal];
    return toEngineOutput(output, { template, files: bundle.sources, texts, diagnostics });
  } catch (error) {
    if (!(error instanceof ModuleError)) throw error;
    const [first, ...others] = error.toDiagnostics("react-component", template.name);
    const diagnostic = inSourceTerms(first, texts);
    const sources = bundle?.sources ?? [...texts.keys()];
    const refused = diagnostic.at?.line === undefined ? refusedByReact(diagnostic.message, texts) : {};
    return failed(template, sources, [{ ...hintFor(error), ...diagnostic, ...refused }, ...others]);
  }
}

/** As when compiling: without fixtures, `PreviewProps` are used. */
function examplesOf({ examples }: ReceivedVariables, { previewProps }: CompileOutput): readonly Variables[] {
  return examples.length === 0 && previewProps && "variables" in previewProps ? [previewProps.variables] : examples;
}

function hintFor(error: ModuleError): Pick<Diagnostic, "hint"> {
  // An undefined name has nothing to do with placeholders.
  if (error.cause instanceof Error && /^ReferenceError\b/.test(error.cause.stack ?? ""))
    return { hint: error.cause.message.endsWith("before initialization") ? TOO_EARLY : UNDEFINED };
  return isOfRendering(error) ? { hint: PLACEHOLDERS } : {};
}

/** Whether a component threw it, rather than the loading of modules. */
function isOfRendering({ cause }: ModuleError): boolean {
  return cause instanceof Error && /\breact-dom\b/.test(cause.stack ?? "") && !cause.message.startsWith("process.");
}

const UNDEFINED = "This name is not defined here. Import it, or take it from the props.";
const TOO_EARLY =
  "It is used before the line that defines it has run. If two modules import each other, move what both need into a third one.";
const PLACEHOLDERS =
  "It ran with placeholders instead of variables. If it works with real values, a package doesn't support placeholders: compute its result in derive (variables.ts).";

/** `t is not a function`: replaces the rewritten call in the message with the source. */
function inSourceTerms(diagnostic: Diagnostic, texts: Sources): Diagnostic {
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

function failed({ body }: Template, sources: readonly string[], diagnostics: readonly Diagnostic[]): EngineOutput {
  return { html: "", tags: [], sources: sources.length > 0 ? sources : [body.file], diagnostics };
}

function noComponent({ name, body }: Template): Diagnostic {
  return {
    rule: "react-component",
    severity: "error",
    message: "The file has no component as its default export.",
    template: name,
    at: { file: body.file },
    hint: "Write `export default function Email(props) { … }`.",
  };
}

const RESERVED = /[\uE000-\uE005]/;

/** Characters in a component's own modules that are reserved for tokens. */
function reservedCharacters(template: string, sources: ReadonlyMap<string, string>): Diagnostic[] {
  return [...sources].flatMap(([file, text]): Diagnostic[] => {
    const offset = text.search(RESERVED);
    if (offset < 0) return [];
    const code = text.charCodeAt(offset).toString(16).toUpperCase();
    return [
      {
        rule: "mustache-syntax",
        severity: "error",
        message: `The character U+${code} is reserved for compiling.`,
        template,
        at: { file, ...positionAt(text, offset) },
        hint: "Remove it: it is a private-use character that fonts show differently.",
      },
    ];
  });
}

const PEERS = ["react", "react-dom"];

/**
 * Checks that React is installed in the project, resolved from the template.
 *
 * @throws {MissingPeerError} It is not installed.
 */
function requireReact({ name, body: { file } }: Template): void {
  const require = createRequire(realpathSync.native(file));
  const missing = PEERS.filter((peer) => !isInstalled(peer, require));
  if (missing.length > 0) throw new MissingPeerError(missing, `the React template "${name}"`);
}

function isInstalled(peer: string, require: NodeJS.Require): boolean {
  try {
    require.resolve(peer);
    return true;
  } catch {
    return false;
  }
}

/**
 * Reports tags in a component's own text, `{"{{name}}"}`, whose names neither an example nor the type has: the braces were
 * probably not meant as Mustache. Nothing is reported if no names are known, or if a `variables.ts` checks them anyway.
 */
function literalTags(
  tags: readonly SitedTag[],
  { name: template, body: { file } }: Template,
  { received, sources }: { readonly received: ReceivedVariables; readonly sources: Sources },
): Diagnostic[] {
  const { schema, isOpen, examples } = received;
  if (schema && !isOpen) return [];
  const known = new Set([...examples.flatMap(keysIn), ...(schema ? namesIn(schema) : [])]);
  if (known.size === 0) return [];
  return tags.flatMap(({ text, isLiteral }): Diagnostic[] => {
    const [tag] = isLiteral ? scan(text).tags : [];
    const [name = ""] = tag?.name.split(/[.\s]/) ?? [];
    if (!/^[\p{L}_]/u.test(name) || known.has(name) || tag?.kind === "close") return [];
    return [
      {
        rule: "react-literal-tag",
        severity: "warning",
        message: `The text ${text} becomes a Mustache tag, but neither a fixture nor the type of the props has "${name}".`,
        template,
        at: writtenAt(text, file, sources),
        hint: `If it is a variable, add it to a fixture, and print it as {${name}}. To show the braces, put a space between them: { {${name}} }.`,
      },
    ];
  });
}

/** The source position of a tag in a component's own text; only the file if the tag is assembled at run time. */
function writtenAt(tag: string, file: string, sources: Sources): SourcePosition {
  for (const [source, text] of [[file, sources.get(file) ?? ""] as const, ...sources]) {
    const offset = text.indexOf(tag);
    if (offset >= 0) return { file: source, ...positionAt(text, offset) };
  }
  return { file };
}

/** The names of all members of a type, at any depth. */
function namesIn({ properties = {}, items, anyOf = [] }: VariablesSchema): string[] {
  const inner = [...Object.values(properties), ...(typeof items === "object" ? [items] : []), ...anyOf];
  return [...Object.keys(properties), ...inner.flatMap(namesIn)];
}

/** The names of all members, at any depth. */
function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...keysIn(member)]);
}
