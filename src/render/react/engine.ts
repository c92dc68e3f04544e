import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import type { Diagnostic, SourcePosition } from "../../diagnostic.js";
import { MissingPeerError } from "../../errors.js";
import type { Tag } from "../../mustache/tokens.js";
import { scan } from "../../mustache/scan.js";
import type { Variables, VariablesSchema } from "../../mustache/variables.js";
import type { Bundle } from "../../process/bundle.js";
import type { Task } from "../../process/host.js";
import { ModuleError } from "../../process/module-error.js";
import type { SourceFile, Template } from "../../project/template.js";
import type { VariablesModule } from "../../project/variables-module.js";
import { positionAt } from "../../text/position.js";
import type { CompileContext, EngineOutput } from "../engine.js";
import type { compileComponent, CompileOutput } from "./compile-task.js";
import { clockAt } from "./clocks.js";
import { type ModuleSources, rewrittenBundle } from "./component-bundles.js";
import { codeAt, diagnose, positionOfRange } from "./diagnose.js";
import type { LocatedTag } from "./document/write.js";
import { knownProps, type KnownProps } from "./props-schema.js";
import type { Computation } from "./runtime/expression.js";
import type { SourceRange } from "./runtime/symbolic.js";

const COMPILE: Task<typeof compileComponent> = {
  module: new URL("./compile-task.js", import.meta.url),
  name: "compileComponent",
};

/**
 * Renders a React component once for all emails: it receives symbolic values instead of variables. They print as tags,
 * turn `.map` and choices into sections, and detect operations that Mustache can't do.
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
    const received = knownProps(template, await readVariables());
    const output = await context.host.run(COMPILE, { bundle, ...received }, { place: context });
    if (output === "no component") return failed(template, bundle.sources, [noComponent(template)]);
    const diagnosed = await diagnose(output, template, { sources: texts, received });
    const known = { ...received, examples: examplesOf(received, output) };
    const literal = literalTags(output.tags, template, { received: known, sources: texts });
    const diagnostics = [...diagnosed, ...literal];
    return toEngineOutput(output, { template, files: bundle.sources, texts, diagnostics });
  } catch (error) {
    if (!(error instanceof ModuleError)) throw error;
    const [first, ...others] = error.toDiagnostics("react-component", template.name);
    const diagnostic = withSourceName(first, texts);
    const sources = bundle?.sources ?? [...texts.keys()];
    const refused = diagnostic.at?.line === undefined ? explainReactError(diagnostic.message, texts) : {};
    return failed(template, sources, [{ ...hintFor(error), ...diagnostic, ...refused }, ...others]);
  }
}

/**
 * What a component computes, with the sources of its modules by file.
 *
 * @throws {ModuleError} One of its modules can't be loaded.
 */
export async function computationsOf(
  template: Template,
  context: CompileContext,
  module: VariablesModule | undefined,
): Promise<{ readonly computed: readonly Computation[]; readonly sources: ModuleSources }> {
  const sources = new Map<string, string>();
  const bundle = await rewrittenBundle(template, context, sources);
  const output = await context.host.run(COMPILE, { bundle, ...knownProps(template, module) });
  return { computed: output === "no component" ? [] : output.computed, sources };
}

/** As when compiling: without fixtures, `PreviewProps` are used. */
function examplesOf({ examples }: KnownProps, { previewProps }: CompileOutput): readonly Variables[] {
  return examples.length === 0 && previewProps ? [previewProps] : examples;
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
function withSourceName(diagnostic: Diagnostic, texts: ModuleSources): Diagnostic {
  const { at, message } = diagnostic;
  const line = texts.get(at?.file ?? "")?.split("\n")[(at?.line ?? 0) - 1] ?? "";
  const column = (at?.column ?? 1) - 1;
  const [before] = /[\w$.?]*$/.exec(line.slice(0, column)) ?? [""];
  const [after] = /^[\w$.?]*/.exec(line.slice(column)) ?? [""];
  const called = before + after || "What is called";
  return { ...diagnostic, message: message.replace(/_*__lettershop\(\.\.\.\)\S* (?=is not a )/, `${called} `) };
}

interface OutputContext {
  readonly template: Template;
  readonly files: readonly string[];
  readonly texts: ModuleSources;
  readonly diagnostics: readonly Diagnostic[];
}

function toEngineOutput(
  { html, title, tags, conditions, computed, ownNames, findings, places, previewProps, reads }: CompileOutput,
  { template, files, texts, diagnostics }: OutputContext,
): EngineOutput {
  const { file } = template.body;
  const placeOf = (site: SourceRange | undefined): SourcePosition => (site ? positionOfRange(site, texts) : { file });
  const printed = tags.map(({ text, site, layout }) => ({
    text,
    ...(layout && { layout }),
    at: site ? placeOf(site) : positionInSource(text, file, texts),
  }));
  return {
    html: findings.some(({ rule }) => rule === undefined) ? "" : html,
    tags: tagsAtCallers(printed, template.body, texts),
    ...(title !== "" && { title }),
    conditions,
    computed: [...new Map(computed.map((each) => [each.name, each])).values()].map(({ name, site }) => ({
      name,
      at: placeOf(site),
      source: (site && codeAt(site, texts)) ?? name,
    })),
    ownNames: ownNames.map(({ site, ...own }) => ({ ...own, at: placeOf(site) })),
    ...(previewProps && { previewProps }),
    ...(places.length > 0 && { places: places.map((site) => ({ at: placeOf(site), note: "" })) }),
    sources: [...new Set([...files, ...reads.files])].sort(),
    environment: reads.environment.map((read) => read.name),
    moments: reads.moments.map((at) => clockAt(at, texts)),
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
  tags: readonly LocatedTag[],
  { name: template, body: { file } }: Template,
  { received, sources }: { readonly received: KnownProps; readonly sources: ModuleSources },
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
        at: positionInSource(text, file, sources),
        hint: `If it is a variable, add it to a fixture, and print it as {${name}}. To show the braces, put a space between them: { {${name}} }.`,
      },
    ];
  });
}

/** The source position of a tag in a component's own text; only the file if the tag is assembled at run time. */
function positionInSource(tag: string, file: string, sources: ModuleSources): SourcePosition {
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

/**
 * Explains errors of React that have no position: a Mustache tag written as in HTML, and a `style` attribute that is a
 * string.
 *
 * @param texts The template's own files, its body first.
 */
export function explainReactError(message: string, texts: ReadonlyMap<string, string>): Partial<Diagnostic> {
  const keys = /^Objects are not valid as a React child \(found: object with keys \{([\w$, ]+)\}\)/.exec(message)?.[1];
  if (keys !== undefined) {
    const names = keys.split(", ").map((name) => name.replaceAll("$", "\\$"));
    // After an equals sign, it is the object of an attribute.
    const object = find(new RegExp(`(?<![=(,:?&|]\\s*)\\{\\{\\s*${names.join("\\s*,\\s*")}\\s*,?\\s*\\}\\}`), texts);
    return object
      ? {
          at: object.at,
          message: `${object.text} is an object in JSX, which React can't print.`,
          hint: `Write ${object.text.slice(1, -1)}.`,
        }
      : {};
  }
  if (message.startsWith("The `style` prop expects a mapping")) {
    const attribute = find(/(?<=<[a-z][a-z\d]*\b[^<>]*\s)style=(?:"[^"]*"|'[^']*')/, texts);
    return attribute
      ? { at: attribute.at, message: `${attribute.text} is a string, but React expects an object.`, hint: STYLE }
      : {};
  }
  return {};
}

const STYLE = 'Write an object with camel-case names: style={{ fontSize: "16px" }}.';

function find(pattern: RegExp, texts: ReadonlyMap<string, string>) {
  for (const [file, text] of texts) {
    const match = pattern.exec(text);
    if (match) return { text: match[0], at: { file, ...positionAt(text, match.index) } };
  }
  return undefined;
}

interface PositionedTag extends Tag {
  readonly at: SourcePosition;
}

/**
 * Moves the positions of tags that a shared component prints to where the template passes their variables to it: errors are
 * fixed there.
 */
function tagsAtCallers(tags: readonly PositionedTag[], body: SourceFile, sources: ModuleSources): PositionedTag[] {
  const counts = new Map<string, number>();
  return tags.map((tag) => {
    const uses = namesOf(tag.text)
      .filter((name) => !isOwn(tag, name, body, sources))
      .map((name) => usesIn(body.text, name))
      .find(({ length }) => length > 0);
    if (!uses) return tag;
    const count = counts.get(tag.text) ?? 0;
    counts.set(tag.text, count + 1);
    const offset = uses[Math.min(count, uses.length - 1)];
    return offset === undefined ? tag : { ...tag, at: { file: body.file, ...positionAt(body.text, offset) } };
  });
}

/** Possible names of a variable in the source: for the condition `booking_url__is_present`, all its suffixes. */
function namesOf(tag: string): string[] {
  const [, sign = "", name = ""] = /^\{+\s*([#^/]?)[^{}]*?([\w$]+)\s*\}+$/.exec(tag) ?? [];
  if (sign === "") return name === "" ? [] : [name];
  const [path = "", question] = name.split("__");
  const parts = question === undefined ? [] : path.split("_");
  return parts.map((_, index) => parts.slice(index).join("_"));
}

/** Whether the component reads the variable itself, from an object in its props. */
function isOwn({ at }: PositionedTag, name: string, body: SourceFile, sources: ModuleSources): boolean {
  const text = sources.get(at.file);
  if (at.file === body.file || text === undefined || at.line === undefined) return true;
  return new RegExp(`\\.${escaped(name)}(?![\\w$])`).test(text);
}

/** Where a variable is used in braces of JSX or template literals, but not in destructuring patterns. */
function usesIn(text: string, name: string): number[] {
  const pattern = new RegExp(
    `\\{(?:[^{}]*[^\\w$])??(${escaped(name)})(?![\\w$]|\\s*[:=(])[^{}]*\\}(?!\\s*[=:)}])`,
    "g",
  );
  return Array.from(text.matchAll(pattern), ({ index, 0: match }) => {
    return index + match.search(new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`));
  });
}

function escaped(name: string): string {
  return name.replaceAll("$", "\\$");
}
