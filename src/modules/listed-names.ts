/**
 * The names that a module exports by nothing but a list at its end, as bundlers write it: known without parsing what can
 * be a whole library.
 *
 * @example
 * listedNames("const a = 1, b = 2;\nexport { a, b as c };\n"); // ["a", "c"]
 *
 * @returns Undefined where it may export in another way.
 */
export function listedNames(code: string): readonly string[] | undefined {
  const start = code.search(STATEMENT);
  // On a line of its own, with nothing after it that would end a comment or a text around it.
  const [, list] = (code[start - 1] === "\n" && LIST.exec(code.slice(start))) || [];
  const names = list?.split(",").map((each) => NAME.exec(each.trim())?.[1]);
  return names?.every((name) => name !== undefined && name !== "default") ? names.filter(isText) : undefined;
}

/** The first word that may begin an export. A keyword is never written otherwise. */
const STATEMENT = /\bexport(?=[\s{*/])/;
const LIST = /^export\s*\{([\w$\s,]+?),?\s*\};?\s*(?:\/\/[^\n*`]*\s*)?$/;
const NAME = /^(?:[\w$]+\s+as\s+)?([\w$]+)$/;

function isText(name: string | undefined): name is string {
  return name !== undefined;
}
