import { isComputedKey, type ListLoop } from "../runtime/expression.js";

/** What `derive` adds to an object: members by name, and additions to nested objects and lists. */
export interface Additions {
  /** The expression for the object in the code of `derive`. */
  readonly path: string;
  readonly members: Map<string, Member>;
  readonly objects: Map<string, { readonly additions: Additions; readonly mayBeMissing: boolean }>;
  readonly lists: Map<string, ItemAdditions>;
}

export interface Member {
  readonly code: string;
  /** If the member is a list: what is added to its items. */
  items?: ItemAdditions;
}

export interface ItemAdditions {
  readonly list: string;
  readonly mayBeMissing: boolean;
  /** Whether the items are not objects yet. */
  readonly isOfValues: boolean;
  readonly item: string;
  readonly index: string;
  readonly additions: Additions;
}

export function additionsTo(path: string): Additions {
  return { path, members: new Map(), objects: new Map(), lists: new Map() };
}

export function isEmpty({ members, objects, lists }: Additions): boolean {
  return members.size + objects.size + lists.size === 0;
}

export function objectIn(holder: Additions, name: string, mayBeMissing: boolean): Additions {
  const known = holder.objects.get(name) ?? { additions: additionsTo(`${holder.path}.${name}`), mayBeMissing };
  holder.objects.set(name, { ...known, mayBeMissing: known.mayBeMissing || mayBeMissing });
  return known.additions;
}

export function itemsOfList(
  list: string,
  { list: { names, mayBeMissing }, isOfValues }: ListLoop,
  holder: Additions,
): ItemAdditions {
  const last = names.filter((name) => !isComputedKey(name)).at(-1) ?? "item";
  const singular = /[^s]s$/.test(last) ? last.slice(0, -1) : last === "item" ? last : `${last}Item`;
  const taken = new Set(holder.path.split("."));
  const item = taken.has(singular) || RESERVED.has(singular) ? `${singular}2` : singular;
  const index = taken.has("item") || !holder.path.includes(".") ? "index" : `${item}Index`;
  return { list, mayBeMissing, isOfValues, item, index, additions: additionsTo(item) };
}

/** Names that code within a list's callback may refer to. */
const RESERVED: ReadonlySet<string> = new Set(["variables", "context", "locale", "timeZone"]);

/** Code for an object literal, with each member on a line of its own. */
export function codeOfAdditions({ members, objects, lists }: Additions, indent: string): string {
  const lines: string[] = [];
  for (const [name, { code, items }] of members) lines.push(`${name}: ${items ? codeOfItems(items, indent) : code}`);
  for (const [name, { additions, mayBeMissing }] of objects) {
    const code = `{\n${indent}  ...${additions.path},\n${codeOfAdditions(additions, `${indent}  `)}${indent}}`;
    lines.push(`${name}: ${mayBeMissing ? `${additions.path} && ${code}` : code}`);
  }
  for (const [name, items] of lists) lines.push(`${name}: ${codeOfItems(items, indent)}`);
  return lines.map((line) => `${indent}${line},\n`).join("");
}

function codeOfItems(
  { list, mayBeMissing, isOfValues, item, index, additions }: ItemAdditions,
  indent: string,
): string {
  const inner = `${indent}  `;
  const added = codeOfAdditions(additions, inner);
  const whole = isOfValues ? `value: ${item}` : `...${item}`;
  const parameters = new RegExp(`(?<![\\w$.])${index}(?![\\w$])`).test(added) ? `${item}, ${index}` : item;
  const isGuarded = / \? undefined : /.test(list);
  const source = isGuarded || /^new |\?\?/.test(list) ? `(${list})` : list;
  const code = `${source}${mayBeMissing || isGuarded ? "?" : ""}.map((${parameters}) => ({\n${inner}${whole},\n${added}${indent}}))`;
  return isOfValues && (mayBeMissing || isGuarded) ? `${code} ?? []` : code;
}
