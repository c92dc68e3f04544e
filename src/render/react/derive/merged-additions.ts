import type { ESTree } from "../../../process/rolldown.js";
import { type Additions, codeOfAdditions, isEmpty, type ItemAdditions } from "./additions.js";
import { insertion, type SourceEdit } from "./edits.js";
import type { ParsedModule } from "./modules.js";

/** The members of an object literal, at any depth. */
interface Keys {
  /** Those with a value of their own. */
  readonly own: ReadonlySet<string>;
  /** Those that only add members to a variable, as in `order: { ...variables.order, total }`. */
  readonly extended: ReadonlySet<string>;
}

export function keysIn(object: ESTree.ObjectExpression): Keys {
  const [own, extended] = [new Set<string>(), new Set<string>()];
  for (const property of object.properties) {
    const name = nameOf(property);
    if (name === undefined || property.type !== "Property") continue;
    const inner = extendedObject(property.value);
    if (!inner) own.add(name);
    else {
      extended.add(name);
      for (const each of keysIn(inner).own) own.add(each);
    }
  }
  return { own, extended };
}

/** The edits that add members to an object literal, and to those in it; undefined if a member has another form. */
export function mergedEdits(
  object: ESTree.ObjectExpression,
  additions: Additions,
  module: ParsedModule,
): SourceEdit[] | undefined {
  const [members, objects, lists] = [additions.members, new Map(additions.objects), new Map(additions.lists)];
  const edits: SourceEdit[] = [];
  for (const property of object.properties) {
    const name = nameOf(property) ?? "";
    const items = lists.get(name);
    const nested = items?.additions ?? objects.get(name)?.additions;
    if (members.has(name)) return undefined;
    if (property.type !== "Property" || !nested) continue;
    const existing = extendedObject(property.value);
    const isSame = items ? iterates(property.value, items, module) : existing && spreads(existing, nested.path, module);
    const added = existing && isSame ? mergedEdits(existing, nested, module) : undefined;
    if (!added) return undefined;
    edits.push(...added);
    objects.delete(name);
    lists.delete(name);
  }
  const others = { ...additions, objects, lists };
  return isEmpty(others) ? edits : [...edits, ...withMembers(object, others, module)];
}

function nameOf(property: ESTree.ObjectPropertyKind): string | undefined {
  return property.type === "Property" && !property.computed && property.key.type === "Identifier"
    ? property.key.name
    : undefined;
}

/** The object in `{ ...of, name }`, `of && { ...of, name }`, and `list.map((item) => ({ ...item, name }))`. */
function extendedObject(value: ESTree.Node): ESTree.ObjectExpression | undefined {
  if (value.type === "ObjectExpression") return value.properties[0]?.type === "SpreadElement" ? value : undefined;
  if (value.type === "LogicalExpression") return extendedObject(value.right);
  const call = value.type === "ChainExpression" ? value.expression : value;
  if (call.type !== "CallExpression" || call.callee.type !== "MemberExpression") return undefined;
  const [callback] = call.arguments;
  return callback?.type === "ArrowFunctionExpression" ? extendedObject(callback.body) : undefined;
}

function spreads({ properties: [first] }: ESTree.ObjectExpression, path: string, module: ParsedModule): boolean {
  return first?.type === "SpreadElement" && textOf(first.argument, module) === path;
}

/** Whether code maps a list with the names that the additions to its items use. */
function iterates(
  value: ESTree.Node,
  { list, item, index, isOfValues, additions }: ItemAdditions,
  module: ParsedModule,
): boolean {
  const call = value.type === "ChainExpression" ? value.expression : value;
  if (isOfValues || call.type !== "CallExpression" || call.callee.type !== "MemberExpression") return false;
  const { object, property } = call.callee;
  const [callback] = call.arguments;
  if (callback?.type !== "ArrowFunctionExpression" || callback.body.type !== "ObjectExpression") return false;
  const isIndexUsed = new RegExp(`(?<![\\w$.])${index}(?![\\w$])`).test(codeOfAdditions(additions, ""));
  const names = callback.params.map((parameter) => textOf(parameter, module));
  return (
    textOf(object, module) === list &&
    textOf(property, module) === "map" &&
    names[0] === item &&
    (!isIndexUsed || names[1] === index) &&
    spreads(callback.body, item, module)
  );
}

function textOf({ start, end }: ESTree.Node, { code }: ParsedModule): string {
  return code.slice(start, end);
}

/** Adds lines to an object literal. */
function withMembers(
  { start, end, properties }: ESTree.ObjectExpression,
  additions: Additions,
  { file, code }: ParsedModule,
): SourceEdit[] {
  const close = end - 1;
  const line = code.lastIndexOf("\n", start) + 1;
  const [outer = ""] = /^\s*/.exec(code.slice(line, start)) ?? [];
  const [first, last] = [properties[0], properties.at(-1)];
  const lines = (indent: string): string => `\n${codeOfAdditions(additions, indent)}${outer}`;
  if (!first || !last) return [{ file, start: start + 1, end: close, text: lines(`${outer}  `) }];
  const [, own] = /\n([^\S\n]*)$/.exec(code.slice(start, first.start)) ?? [];
  const indent = own ?? `${outer}  `;
  const rest = code.slice(last.end, close).replace(/\/\/.*|\/\*[^]*?\*\//g, "");
  const comma = rest.includes(",") ? [] : [insertion(file, last.end, ",")];
  const [space = ""] = /\s*$/.exec(code.slice(last.end, close)) ?? [];
  return [
    ...(own === undefined ? [{ file, start: start + 1, end: first.start, text: `\n${indent}` }] : []),
    ...comma,
    { file, start: close - space.length, end: close, text: lines(indent) },
  ];
}
