import type { ESTree } from "../../../modules/rolldown.js";

/*
 * `a !== undefined && a !== null` asks whether something is there, which Mustache can tell; of the two comparisons each
 * alone would tell null from undefined, which it can't. So together they are taken for `!= null`.
 */

type Comparison = ESTree.BinaryExpression | ESTree.PrivateInExpression;

/** Which of null and undefined a comparison is about; `both` with `==`. */
interface Absence {
  readonly comparison: ESTree.Node;
  readonly of: string;
  readonly about: "null" | "undefined" | "both";
}

/** The comparisons of a chain of `&&` or `||` that ask together whether something is absent, and are strict. */
export function absencesIn(chain: ESTree.LogicalExpression, code: string): ESTree.Node[] {
  const { operator } = chain;
  if (operator === "??") return [];
  const operands = operandsOf(chain, operator);
  const found = operands.map((each) => absenceOf(each, operator, code));
  return found.flatMap((one, from) => {
    const others = found.slice(from + 1, from + 1 + comparisonsFrom(operands, from + 1));
    const other = others.find((each) => one && each?.of === one.of && each.about !== one.about);
    return one && other ? [one, other].filter(({ about }) => about !== "both").map(({ comparison }) => comparison) : [];
  });
}

/** How many operands follow that only answer yes or no, so that nothing shows which of them was asked first. */
function comparisonsFrom(operands: readonly ESTree.Node[], from: number): number {
  const other = operands.slice(from).findIndex(({ type }) => type !== "BinaryExpression");
  return other < 0 ? operands.length : other;
}

function operandsOf(node: ESTree.Node, operator: string): ESTree.Node[] {
  if (node.type !== "LogicalExpression" || node.operator !== operator) return [node];
  return [...operandsOf(node.left, operator), ...operandsOf(node.right, operator)];
}

function absenceOf(node: ESTree.Node, operator: "&&" | "||", code: string): Absence | undefined {
  if (node.type !== "BinaryExpression" || !OPERATORS[operator].includes(node.operator)) return undefined;
  const { left, right } = node;
  for (const [asked, literal] of [[left, right] as const, [right, left] as const]) {
    const type = asked.type === "UnaryExpression" && asked.operator === "typeof" ? asked.argument : undefined;
    const about = type ? (isWord(literal) ? "undefined" : undefined) : nullOrUndefined(literal);
    const of = about && nameOf(type ?? asked, code);
    if (about && of !== undefined) {
      return { comparison: node, of, about: node.operator.length === 2 && !type ? "both" : about };
    }
  }
  return undefined;
}

const OPERATORS = { "&&": ["!==", "!="], "||": ["===", "=="] } satisfies Record<string, readonly string[]>;

/** What is `typeof` of what is not there. */
function isWord(node: ESTree.Node): boolean {
  return node.type === "Literal" && node.value === "undefined";
}

function nullOrUndefined(node: ESTree.Node): "null" | "undefined" | undefined {
  if (node.type === "Literal" && node.value === null && !("regex" in node)) return "null";
  if (node.type === "UnaryExpression" && node.operator === "void") return "undefined";
  return node.type === "Identifier" && node.name === "undefined" ? "undefined" : undefined;
}

/** A name, or a member of something named, as it is written without what only guards it. */
function nameOf(node: ESTree.Node, code: string): string | undefined {
  if (node.type === "Identifier") return node.name;
  if (node.type === "ThisExpression") return "this";
  if (node.type === "ChainExpression" || node.type === "TSNonNullExpression") return nameOf(node.expression, code);
  if (node.type !== "MemberExpression") return undefined;
  const { object, property, computed } = node;
  if (computed && property.type !== "Literal") return undefined;
  const holder = nameOf(object, code);
  const member = computed
    ? code.slice(property.start, property.end)
    : "name" in property && JSON.stringify(property.name);
  return holder === undefined ? undefined : `${holder}[${member}]`;
}

/** `typeof a !== "undefined"`: what its type is asked of. */
export function typeAsked({ left, right }: Comparison): ESTree.Expression | undefined {
  const asked = [left, right].find((each) => each.type === "UnaryExpression" && each.operator === "typeof");
  return asked?.type === "UnaryExpression" ? asked.argument : undefined;
}
