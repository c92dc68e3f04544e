/** A comment, and where it stands. */
interface Comment {
  readonly text: string;
  readonly offset: number;
}

/** A comment, a string, a Mustache tag, what opens or ends a block or a declaration, or what stands between them. */
const PIECE = /\/\*[^]*?\*\/|"[^"\n]*"|'[^'\n]*'|\{\{[^]*?\}\}\}?|[{};]|[^{};"'/]+|[^]/g;

/**
 * The comments of a stylesheet that stand between declarations; those between rules harm nothing.
 *
 * @example
 * commentsInRules("/* a *\/ p { color: red; /* b *\/ }"); // [{ text: "/* b *\/", offset: 24 }]
 */
export function commentsInRules(css: string): Comment[] {
  if (!css.includes("/*")) return [];
  const comments: Comment[] = [];
  const open: string[] = [];
  let prelude = "";
  for (const { 0: piece, index } of css.matchAll(PIECE)) {
    const around = open.at(-1);
    if (piece.startsWith("/*")) {
      if (around !== undefined && !around.startsWith("@")) comments.push({ text: piece, offset: index });
      continue;
    }
    if (piece === "{") open.push(prelude.trim());
    else if (piece === "}") open.pop();
    prelude = /^[{};]$/.test(piece) ? "" : prelude + piece;
  }
  return comments;
}

/** Whether a style attribute has a comment. */
export function hasComment(style: string): boolean {
  return /\/\*[^]*?\*\//.test(style.replaceAll(/"[^"]*"|'[^']*'/g, ""));
}
