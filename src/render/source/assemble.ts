import { attempt } from "../../files.js";
import path from "node:path";
import { checkNames } from "../../mustache/names.js";
import type { MustacheNode, PartialNode } from "../../mustache/parse.js";
import type { MustacheProblem } from "../../mustache/scan.js";
import { positionsIn } from "../../text/position.js";
import { protect, type TagTable, TOKEN } from "../../mustache/tokens.js";
import type { SourceFile } from "../../project/template.js";
import type { Findings } from "../findings.js";
import { chainNote, MappedText, type Replacement } from "./mapped-text.js";
import { realpathSync } from "node:fs";
import { readdir } from "node:fs/promises";
import type { SourcePosition } from "../../diagnostic.js";
import { nearest } from "../../text/nearest.js";
import { statsOf } from "../../project/candidates.js";
import { readSource } from "../../project/source-file.js";

export interface AssembleOptions {
  readonly parts: PartReader;
  /** Receives the tags. */
  readonly tags: TagTable;
  readonly findings: Findings;
  /** Whether nothing is dropped, and partials are not inlined. Default false. */
  readonly verbatim?: boolean;
}

/**
 * Reads a source as Mustache: tags become tokens, partials are inlined, and each character keeps its source position.
 *
 * @param chain The files that led here; the last one is the one to assemble.
 */
export async function assemble(chain: readonly SourceFile[], options: AssembleOptions): Promise<MappedText> {
  const source = chain.at(-1);
  if (!source) throw new RangeError("There is nothing to assemble.");
  const { tags, verbatim = false } = options;
  const reading = { note: chainNote(chain), keepsComments: verbatim };
  const { pieces, tree, problems } = protect(source.text, source.file, tags, reading);
  const partials = verbatim ? [] : partialNodes(tree.nodes);
  const misnamed = checkNames(tree).filter(({ offset }) => !partials.some(({ start }) => start === offset));
  reportProblems("mustache-syntax", problems, chain, source, options);
  reportProblems("mustache-name", misnamed, chain, source, options);
  return inlinePartials(MappedText.of(pieces, chain), partials, chain, options);
}

async function inlinePartials(
  mapped: MappedText,
  partials: readonly PartialNode[],
  chain: readonly SourceFile[],
  options: AssembleOptions,
): Promise<MappedText> {
  if (partials.length === 0) return mapped;
  const replacements: Replacement[] = [];
  const pending = [...partials];
  for (const match of mapped.text.matchAll(TOKEN)) {
    const writtenAs = options.tags[Number(match[1])]?.text ?? "";
    const partial = /^\{\{\s*>/.test(writtenAs) ? pending.shift() : undefined;
    if (!partial) continue;
    const at = mapped.positionAt(match.index);
    const part = await options.parts.read({
      path: path.posix.extname(partial.name) === "" ? partial.name + path.extname(at.file) : partial.name,
      folder: partial.name.startsWith(".") ? path.dirname(at.file) : options.parts.root,
      writtenAs,
      at,
      chain,
    });
    const place = placeOf(mapped.text, match.index, match.index + match[0].length);
    const by = part ? (await assemble([...chain, part], options)).indented(place.indent) : "";
    replacements.push({ start: place.start, end: place.end, by });
  }
  return mapped.replaced(replacements);
}

const BLANK_TO_LINE_END = /[ \t]*(?:\n|$)/y;

/** A standalone partial includes its line's end, and its indentation applies to each of its lines. */
function placeOf(text: string, start: number, end: number): { start: number; end: number; indent: string } {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const indent = text.slice(lineStart, start);
  BLANK_TO_LINE_END.lastIndex = end;
  const rest = BLANK_TO_LINE_END.exec(text);
  if (!rest || indent.trim() !== "") return { start, end, indent: "" };
  return { start: lineStart, end: end + rest[0].length, indent };
}

function partialNodes(nodes: readonly MustacheNode[]): PartialNode[] {
  return nodes.flatMap((node) => {
    if (node.kind === "partial") return [node];
    return node.kind === "section" ? partialNodes(node.children) : [];
  });
}

function reportProblems(
  rule: string,
  problems: readonly MustacheProblem[],
  chain: readonly SourceFile[],
  source: SourceFile,
  { findings }: AssembleOptions,
): void {
  const position = positionsIn(source.text);
  for (const { message, offset, hint } of problems) {
    findings.error(rule, message + chainNote(chain), { file: source.file, ...position(offset) }, hint);
  }
}

/** A request for a file that another file includes. */
interface PartRequest {
  /** As written: with forward slashes. */
  readonly path: string;
  /** The folder that it is relative to, absolute. */
  readonly folder: string;
  /** What includes it, as written: `<mj-include>`, `{{> _shared/footer}}`. */
  readonly writtenAs: string;
  readonly at: SourcePosition;
  /** The files that led here, the template's body first; the last one contains the include. */
  readonly chain: readonly SourceFile[];
}

/** Reads the shared parts of one template: files within the templates root, links resolved. */
export class PartReader {
  /** Absolute, links resolved. Partials whose name does not begin with a dot are relative to it. */
  readonly root: string;
  readonly #findings: Findings;
  readonly #read = new Map<string, SourceFile>();

  constructor(root: string, findings: Findings) {
    this.root = root;
    this.#findings = findings;
  }

  /** Every file that was read, absolute. */
  get sources(): readonly string[] {
    return [...this.#read.keys()];
  }

  /** The part; undefined if there was an error, which has been reported. */
  async read(request: PartRequest): Promise<SourceFile | undefined> {
    const target = path.resolve(request.folder, request.path);
    if (path.isAbsolute(request.path) || !this.#holds(target)) return this.#outside(request);
    const file = attempt(() => realpathSync.native(target));
    if (file === undefined) return this.#missing(request, target);
    if (!this.#holds(file)) return this.#outside(request);
    if (request.chain.some((source) => source.file === file)) return this.#cycle(request, file);
    const known = this.#read.get(file);
    if (known) return known;
    // Undefined if the file doesn't exist, is a folder, or is not text.
    const source = attempt(() => readSource(file));
    if (source === undefined) return this.#missing(request, target);
    this.#read.set(file, source);
    return source;
  }

  #holds(file: string): boolean {
    const relative = path.relative(this.root, file);
    return relative !== "" && relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative);
  }

  #outside(request: PartRequest): undefined {
    const message = `${request.writtenAs} points outside the templates folder`;
    this.#report(
      "part-outside",
      request,
      message,
      "Move the file into the templates folder, for example into _shared/.",
    );
  }

  async #missing(request: PartRequest, target: string): Promise<undefined> {
    const { writtenAs } = request;
    const stats = statsOf(target);
    if (stats) {
      const what = stats.isDirectory() ? "a folder" : "not a readable text file";
      this.#report("part-missing", request, `${writtenAs} includes ${this.#shown(target)}, which is ${what}`);
      return;
    }
    const near = await this.#nearestTo(target);
    const hint = near === undefined ? undefined : `Did you mean ${near}?`;
    this.#report("part-missing", request, `${writtenAs} includes ${this.#shown(target)}, which does not exist`, hint);
  }

  /** A similar name in the same folder, or else the same name anywhere, or else the most similar path. */
  async #nearestTo(target: string): Promise<string | undefined> {
    const files = await filesBelow(this.root);
    const shown = this.#shown(target);
    const [folder, name] = [path.posix.dirname(shown), path.posix.basename(shown)];
    const siblings = files
      .filter((file) => path.posix.dirname(file) === folder)
      .map((file) => path.posix.basename(file));
    const sibling = nearest(name, siblings) ?? siblings.find((each) => path.posix.parse(each).name === name);
    if (sibling !== undefined) return path.posix.join(folder, sibling);
    return files.find((file) => path.posix.basename(file) === name) ?? nearest(shown, files);
  }

  #cycle(request: PartRequest, file: string): undefined {
    const first = request.chain.findIndex((source) => source.file === file);
    const circle = [...request.chain.slice(first).map((source) => source.file), file];
    const shown = circle.map((member) => this.#shown(member)).join(" → ");
    this.#report("part-cycle", request, `${request.writtenAs} includes itself: ${shown}`);
  }

  #report(rule: string, { at, chain }: PartRequest, message: string, hint?: string): void {
    this.#findings.error(rule, `${message}${chainNote(chain)}.`, at, hint);
  }

  #shown(file: string): string {
    return path.relative(this.root, file).replaceAll(path.sep, "/");
  }
}

/** Relative to the folder, with forward slashes, in the same order everywhere. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"))
    .filter((file) => !file.includes("node_modules/"))
    .toSorted();
}
