/**
 * The names that a module exports, if its only export is a list at its end, as bundlers write it. Avoids parsing modules
 * that may be whole libraries.
 *
 * @example
 * listedNames("const a = 1, b = 2;\nexport { a, b as c };\n"); // ["a", "c"]
 *
 * @returns Undefined if the module may export in another way.
 */
export function listedNames(code: string): readonly string[] | undefined {
  const start = code.search(STATEMENT);
  // On a separate line, with nothing after it that could end a surrounding comment or template string.
  const [, list] = (code[start - 1] === "\n" && LIST.exec(code.slice(start))) || [];
  const names = list?.split(",").map((each) => NAME.exec(each.trim())?.[1]);
  return names?.every((name) => name !== undefined && name !== "default") ? names.filter(isString) : undefined;
}

/** The first possible export keyword. Keywords can't be escaped. */
const STATEMENT = /\bexport(?=[\s{*/])/;
const LIST = /^export\s*\{([\w$\s,]+?),?\s*\};?\s*(?:\/\/[^\n*`]*\s*)?$/;
const NAME = /^(?:[\w$]+\s+as\s+)?([\w$]+)$/;

function isString(name: string | undefined): name is string {
  return name !== undefined;
}
