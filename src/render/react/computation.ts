import type { ESTree, Rolldown } from "../../modules/rolldown.js";
import { childrenOf } from "./rewrite/nodes.js";
import type { Site } from "./runtime/symbolic.js";

/** What a component computes, as it is written. */
export interface Computation {
  readonly node: ESTree.Node;
  /** What stands at the site itself. */
  readonly core: ESTree.Node;
  readonly code: string;
  /** Names that the module imports. */
  readonly imported: ReadonlySet<string>;
  /** What is around it, innermost first, up to the program. */
  readonly around: readonly ESTree.Node[];
}

/**
 * The whole of a computation that a site is in, as far as it goes on with what comes of it: of `new Date(due)` in
 * `{format(new Date(due)).trim()}`, `format(new Date(due)).trim()`.
 *
 * @param code The module's.
 */
export function computationAt(site: Site, code: string, parseSync: Rolldown["parseSync"]): Computation | undefined {
  const { program, errors } = parseSync(site.file, code, { preserveParens: false });
  const around = errors.length > 0 ? [] : pathTo(program, site);
  if (around.length === 0) return undefined;
  const imported = importedIn(program);
  const index = around.findIndex((node, depth) => {
    const [next, call] = around.slice(depth + 1);
    return !goesOn(node, next, imported) || (call && isCalledWithMarkup(next, call));
  });
  const depth = index < 0 ? around.length - 1 : index;
  const [core] = around;
  const node = around[depth];
  return core && node && { node, core, code, imported, around: around.slice(depth + 1) };
}

/** A node and those around it, innermost first. */
function pathTo(node: ESTree.Node, site: Site): ESTree.Node[] {
  if (node.start > site.start || node.end < site.end) return [];
  for (const child of childrenOf(node)) {
    const path = pathTo(child, site);
    if (path.length > 0) return [...path, node];
  }
  return node.start === site.start && node.end === site.end ? [node] : [];
}

/** Whether the node around computes with what this one gives, and nothing else. */
function goesOn(node: ESTree.Node, around: ESTree.Node | undefined, imported: ReadonlySet<string>): boolean {
  if (!around) return false;
  if (around.type === "MemberExpression") return around.object === node;
  if (around.type === "ChainExpression" || around.type.startsWith("TS")) return true;
  if (around.type === "BinaryExpression") return /^[-+*/%]$|^\*\*$/.test(around.operator) && !isOfTexts(around);
  if (around.type !== "CallExpression") return false;
  if (around.callee === node) return true;
  const name = rootOf(around.callee);
  return name !== undefined && (GLOBALS.has(name) || imported.has(name)) && !around.arguments.some(hasMarkup);
}

/** Texts that are put together with `+` are no computation. */
function isOfTexts({ left, right }: { readonly left: ESTree.Node; readonly right: ESTree.Node }): boolean {
  return [left, right].some((side) => side.type === "Literal" && typeof side.value === "string");
}

/** `items.map((item) => <p/>)` */
function isCalledWithMarkup(callee: ESTree.Node | undefined, call: ESTree.Node): boolean {
  return call.type === "CallExpression" && call.callee === callee && call.arguments.some(hasMarkup);
}

function hasMarkup(node: ESTree.Node): boolean {
  return node.type === "JSXElement" || node.type === "JSXFragment" || childrenOf(node).some(hasMarkup);
}

function rootOf(node: ESTree.Node): string | undefined {
  if (node.type === "Identifier") return node.name;
  return node.type === "MemberExpression" ? rootOf(node.object) : undefined;
}

function importedIn({ body }: ESTree.Program): Set<string> {
  const imports = body.filter((statement) => statement.type === "ImportDeclaration");
  return new Set(imports.flatMap(({ specifiers }) => specifiers.map(({ local }) => local.name)));
}

/** The language's own names, which mean the same in variables.ts. */
export const GLOBALS: ReadonlySet<string> = new Set(
  (
    "Array BigInt Boolean Date Error Infinity Intl JSON Map Math NaN Number Object RegExp Set String Symbol URL " +
    "URLSearchParams decodeURI decodeURIComponent encodeURI encodeURIComponent isFinite isNaN parseFloat parseInt undefined"
  ).split(" "),
);
