import { LettershopError } from "../errors.js";
import { escapeHtml, isShown, lookUp, type Path, printed, type Context, toPath } from "./lookup.js";
import { type FillLimits, Meter } from "./meter.js";
import { type MustacheNode, parse } from "./parse.js";
import { positionAt } from "../text/position.js";
import type { Variables } from "./variables.js";
import type { MustacheProblem } from "./scan.js";

/**
 * A flattened tree: filling walks over an array. A section's body is the instructions after it up to `end`.
 * All instructions have the same members, because engines run such code fastest.
 */
interface Instruction {
  readonly kind: "text" | "escaped" | "unescaped" | "section" | "inverted" | "partial";
  /** The text, or a partial's name. */
  readonly text: string;
  readonly path: Path;
  /** The index of the first instruction after it. */
  end: number;
  readonly indent: string;
}

type Program = readonly Instruction[];

const NO_PATH = toPath("");

function assemble(nodes: readonly MustacheNode[]): Program {
  const program: Instruction[] = [];
  append(program, nodes);
  return program;
}

function append(program: Instruction[], nodes: readonly MustacheNode[]): void {
  for (const node of nodes) {
    const base = { text: "", path: NO_PATH, end: program.length + 1, indent: "" };
    switch (node.kind) {
      case "text":
        program.push({ ...base, kind: "text", text: node.text });
        break;
      case "variable":
        program.push({ ...base, kind: node.escaped ? "escaped" : "unescaped", path: toPath(node.name) });
        break;
      case "partial":
        program.push({ ...base, kind: "partial", text: node.name, indent: node.indent });
        break;
      case "section": {
        const section: Instruction = { ...base, kind: node.inverted ? "inverted" : "section", path: toPath(node.name) };
        program.push(section);
        append(program, node.children);
        section.end = program.length;
        break;
      }
      case "comment":
      case "delimiters":
        break;
    }
  }
}

/** A parsed text, ready to be filled, or its problems. */
interface PreparedText {
  readonly program: Program;
  readonly problems: readonly MustacheProblem[];
}

/** Parsed strings, so that filling the same one again is fast. */
export class TextCache {
  /** The maximum total length of the cached strings, in UTF-16 units. */
  readonly #capacity: number;
  /** The least recently used first. */
  readonly #texts = new Map<string, PreparedText>();
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  prepare(text: string): PreparedText {
    const known = this.#texts.get(text);
    if (known) {
      this.#texts.delete(text);
      this.#texts.set(text, known);
      return known;
    }
    const { nodes, problems } = parse(text);
    const prepared = { program: assemble(nodes), problems };
    this.#texts.set(text, prepared);
    this.#size += text.length;
    this.#makeRoom();
    return prepared;
  }

  #makeRoom(): void {
    for (const text of this.#texts.keys()) {
      if (this.#size <= this.#capacity) return;
      this.#texts.delete(text);
      this.#size -= text.length;
    }
  }
}

/** A message ready to send, with all Mustache filled in. */
export interface Message {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** The fields of a compiled template that become a message. */
export interface MessageFields {
  readonly subject: string;
  readonly html_body: string;
  readonly text_body: string;
}

/** Differences between Mustache engines; the defaults follow the specification, or mustache.js where it is silent. */
export interface Dialect {
  /** Whether a section over the number 0 is shown. Default false. */
  readonly zeroIsShown?: boolean;
  /** Whether a section over an empty string is shown. Default false. */
  readonly emptyTextIsShown?: boolean;
  /** Whether a name that the innermost context does not have is looked up in the outer ones. Default true. */
  readonly contextFallback?: boolean;
}

export interface RenderOptions extends Dialect {
  /** How `{{name}}` prints characters that are special in HTML; `{{{name}}}` always prints them unchanged. */
  readonly escape: "html" | "none";
  /** The texts of partials by name. A missing partial prints nothing. */
  readonly partials?: Readonly<Record<string, string>>;
  /** Default: none. */
  readonly limits?: FillLimits;
}

/** The options for filling one text. */
interface Filling extends RenderOptions {
  readonly meter: Meter | undefined;
}

/** Thrown if a string to be filled is not valid Mustache. */
export class MustacheSyntaxError extends LettershopError {
  override readonly name = "MustacheSyntaxError";
  readonly code = "mustache_syntax";

  constructor(
    text: string,
    readonly problems: readonly MustacheProblem[],
  ) {
    const [first] = problems;
    const { line, column } = positionAt(text, first?.offset ?? 0);
    super(
      `Malformed Mustache at line ${line}, column ${column}: ${first?.message}`,
      first?.hint ? { hint: first.hint } : {},
    );
  }
}

/**
 * Fills a compiled template. Subject and text are never escaped.
 *
 * @example
 * fill({ subject: "Hi {{{name}}}", html_body: "<p>Hi {{name}}</p>", text_body: "Hi {{{name}}}" }, { name: "Ada & Bob" });
 * // { subject: "Hi Ada & Bob", html: "<p>Hi Ada &amp; Bob</p>", text: "Hi Ada & Bob" }
 *
 * The variables must be complete (`completeVariables`); otherwise outer values show where inner ones are absent.
 *
 * @throws MustacheSyntaxError if a field is malformed.
 */
export function fill(fields: MessageFields, variables: Variables): Message {
  return {
    subject: renderMustache(fields.subject, variables, { escape: "none" }),
    html: renderMustache(fields.html_body, variables, { escape: "html" }),
    text: renderMustache(fields.text_body, variables, { escape: "none" }),
  };
}

/**
 * Fills one text according to the Mustache specification.
 *
 * @example
 * renderMustache("{{#items}}{{name}} {{/items}}", { items: [{ name: "Tea" }, { name: "Jam" }] }, { escape: "html" }); // "Tea Jam "
 *
 * Variables are plain JSON data: only own properties count, and functions are never called but count as absent.
 * `undefined` is absent, too; a null prints nothing and hides an outer value of the same name. A section is not shown for
 * `false`, `null`, `0`, `""`, `NaN` and an empty list. Parsed texts are cached, so that filling the same text again is
 * fast.
 *
 * @throws MustacheSyntaxError if the text, or a partial that it includes, is malformed; FillLimitError if it exceeds
 * `limits`.
 */
export function renderMustache(text: string, variables: Variables, options: RenderOptions): string {
  const program = prepareValid(text);
  const meter = options.limits && new Meter(options.limits);
  return run(program, 0, program.length, { value: variables, outer: undefined }, { meter, ...options });
}

/** Room for the bodies of 200 templates of 20,000 characters, or for 40 of the maximum length. */
const texts = new TextCache(4_000_000);

function prepareValid(text: string): Program {
  const { program, problems } = texts.prepare(text);
  if (problems.length > 0) throw new MustacheSyntaxError(text, problems);
  return program;
}

function run(program: Program, from: number, to: number, scope: Context, options: Filling): string {
  const { meter } = options;
  let output = "";
  let index = from;
  while (index < to) {
    const instruction = program[index];
    if (!instruction) break;
    switch (instruction.kind) {
      case "text":
        meter?.write(instruction.text.length);
        output += instruction.text;
        break;
      case "escaped": {
        const value = print(scope, instruction.path, options);
        output += options.escape === "html" ? escape(value, meter) : plain(value, meter);
        break;
      }
      case "unescaped":
        output += plain(print(scope, instruction.path, options), meter);
        break;
      case "section": {
        const value = find(scope, instruction.path, options);
        if (Array.isArray(value)) {
          for (const item of value) {
            meter?.step();
            output += run(program, index + 1, instruction.end, { value: item, outer: scope }, options);
          }
        } else if (shows(value, options)) {
          output += run(program, index + 1, instruction.end, { value, outer: scope }, options);
        }
        break;
      }
      case "inverted":
        if (!shows(find(scope, instruction.path, options), options))
          output += run(program, index + 1, instruction.end, scope, options);
        break;
      case "partial":
        output += runPartial(instruction, scope, options);
        break;
    }
    index = instruction.end;
  }
  return output;
}

function find(scope: Context, path: Path, { contextFallback = true, meter }: Filling): unknown {
  const searched = contextFallback ? scope : { value: scope.value, outer: undefined };
  meter?.lookUp(searched, path);
  return lookUp(searched, path);
}

function print(scope: Context, path: Path, options: Filling): string {
  const value = find(scope, path, options);
  options.meter?.print(value);
  return printed(value);
}

function plain(text: string, meter: Meter | undefined): string {
  meter?.write(text.length);
  return text;
}

const SLICE = 50_000;

function escape(text: string, meter: Meter | undefined): string {
  if (!meter) return escapeHtml(text);
  let escaped = "";
  // In slices, so that an overlong text is not escaped to its end.
  for (let at = 0; at < text.length; at += SLICE) {
    escaped += plain(escapeHtml(text.slice(at, at + SLICE)), meter);
  }
  return escaped;
}

function shows(value: unknown, { zeroIsShown, emptyTextIsShown }: Dialect): boolean {
  return isShown(value) || (value === 0 && zeroIsShown === true) || (value === "" && emptyTextIsShown === true);
}

function runPartial({ text: name, indent }: Instruction, scope: Context, options: Filling): string {
  const { partials } = options;
  const text = partials && Object.hasOwn(partials, name) ? partials[name] : undefined;
  if (!text) return "";
  // The specification indents the partial's own lines, not those in its variables.
  const program = prepareValid(text.replace(/(^|\n)(?=[^\n])/g, `$1${indent}`));
  return run(program, 0, program.length, scope, options);
}
