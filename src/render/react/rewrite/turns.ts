import type { ESTree } from "../../../process/rolldown.js";
import type { Collecting } from "./collecting.js";
import { rangeOf } from "./editor.js";
import { addNames } from "./names.js";
import { destructured, rewritePattern } from "./patterns.js";
import type { Rewriter } from "./rewriter.js";

/** `for (const a of b) c` → `each(b, adding(rows, (turn) => (item) => turn((rows) => { let a = item; c; return rows; })), …);` */
export function rewriteCollectingLoop(node: ESTree.ForOfStatement, collecting: Collecting, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const { left, right, body } = node;
  const id = left.type === "VariableDeclaration" ? left.declarations[0]?.id : undefined;
  if (!id) return;
  const [turn, item] = [editor.newName(), editor.newName()];
  const value = id.type === "ArrayPattern" ? destructured(item, id, editor) : item;
  // Doesn't begin with a bracket, because the line before may have no semicolon.
  editor.replace(node.start, id.start, `void ${editor.runtime}.each(`);
  editor.remove(id.end, right.start);
  editor.after(right.end, `, ${editor.runtime}.adding(${collecting.rows}, (${turn}) => (`);
  editor.replace(right.end, body.start, `${item}) => ${opening(turn, collecting)}let `);
  editor.after(id.end, ` = ${value}; `);
  editor.move(id, body.start);
  editor.after(body.end, `${closing(collecting)}), ${rangeOf(right)});`);
  rewritePattern(id, { offset: body.start, opening: "let ", closing: "; ", declares: true }, rewriter, false);
  const names = new Set<string>();
  addNames(id, names);
  rewriter.visit(right);
  endTurns(collecting, rewriter);
  rewriter.visitIn(true, { id: node.start, names }, body);
}

/** The beginning of the code for an item, in a function that receives the list to push to. */
export function opening(turn: string, { rows }: Collecting): string {
  return `${turn}((${rows}) => { `;
}

export function closing({ rows }: Collecting): string {
  return `; return ${rows}; })`;
}

/** `continue;` → `return rows;`, `return a;` → `{ void (a); return rows; }` */
export function endTurns({ ends, rows }: Collecting, { editor }: Rewriter): void {
  for (const end of ends) {
    const argument = end.type === "ReturnStatement" ? end.argument : null;
    if (argument) {
      editor.replace(end.start, end.start + 6, "{ void (");
      const rest = `); return ${rows}; }`;
      if (argument.end < end.end) editor.replace(argument.end, end.end, rest);
      else editor.after(end.end, rest);
    } else {
      editor.replace(end.start, end.end, `return ${rows};`);
    }
  }
}
