import { toPath, type Path } from "./lookup.js";
import type { MustacheNode } from "./tree.js";

/**
 * A flattened tree: filling walks over an array. A section's body is the instructions after it up to `end`.
 * All instructions have the same members, because engines run such code fastest.
 */
export interface Instruction {
  readonly kind: "text" | "escaped" | "unescaped" | "section" | "inverted" | "partial";
  /** The text, or a partial's name. */
  readonly text: string;
  readonly path: Path;
  /** The index of the first instruction after it. */
  end: number;
  readonly indent: string;
}

export type Program = readonly Instruction[];

const NO_PATH = toPath("");

export function assemble(nodes: readonly MustacheNode[]): Program {
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
