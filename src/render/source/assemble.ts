import path from "node:path";
import { checkNames } from "../../mustache/names.js";
import type { MustacheNode, PartialNode } from "../../mustache/parse.js";
import type { MustacheProblem } from "../../mustache/scan.js";
import { positionsIn } from "../../text/position.js";
import { protect, TOKEN, type TagTable } from "../../mustache/tokens.js";
import type { SourceFile } from "../../project/template.js";
import type { Findings } from "../findings.js";
import { chainNote, type MappedText, MappedTextBuilder } from "./mapped-text.js";
import type { PartReader } from "./parts.js";

export interface AssembleOptions {
  /** The templates root, which partials whose name does not begin with a dot are relative to. */
  readonly root: string;
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
  const builder = new MappedTextBuilder();
  for (const { text, offset } of pieces) builder.append(text, chain, offset);
  const mapped = builder.build();
  return partials.length === 0 ? mapped : inlinePartials(mapped, partials, chain, options);
}

async function inlinePartials(
  mapped: MappedText,
  partials: readonly PartialNode[],
  chain: readonly SourceFile[],
  options: AssembleOptions,
): Promise<MappedText> {
  const builder = new MappedTextBuilder();
  const pending = [...partials];
  let from = 0;
  for (const match of mapped.text.matchAll(TOKEN)) {
    const writtenAs = options.tags[Number(match[1])]?.text ?? "";
    const partial = /^\{\{\s*>/.test(writtenAs) ? pending.shift() : undefined;
    if (!partial) continue;
    const at = mapped.positionAt(match.index);
    const part = await options.parts.read({
      path: path.posix.extname(partial.name) === "" ? partial.name + path.extname(at.file) : partial.name,
      folder: partial.name.startsWith(".") ? path.dirname(at.file) : options.root,
      writtenAs,
      at,
      chain,
    });
    const place = placeOf(mapped.text, match.index, match.index + match[0].length);
    builder.appendPart(mapped, from, place.start);
    from = place.end;
    if (part) builder.appendPart(await assemble([...chain, part], options), 0, undefined, place.indent);
  }
  builder.appendPart(mapped, from);
  return builder.build();
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
