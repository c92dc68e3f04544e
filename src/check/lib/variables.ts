import { memoizeByObject } from "../../cache/memoize.js";
import type { SourcePosition } from "../../diagnostic.js";
import { isWithoutOwnName } from "../../mustache/expression/own-names.js";
import { scan } from "../../mustache/scan.js";
import type { Tag } from "../../mustache/tokens.js";
import type { VariablesContract } from "../../mustache/variables.js";
import type { TagUse } from "../document/email-document.js";
import type { SourceFile } from "../../project/template.js";
import type { CheckedTemplate } from "../rule.js";
import { positionIn, subjectPosition, tagPosition, textSources } from "../checked-template.js";
import { type ResolvedVariable, Scope } from "../../mustache/scope.js";
import { valuesOf } from "../../mustache/lookup.js";

/** A tag that prints a value or opens a section, with its context. */
export interface TagInPlace {
  readonly kind: "variable" | "unescaped" | "section" | "inverted";
  readonly name: string;
  /** The tag in the compiled template. */
  readonly text: string;
  readonly tag: Tag;
  /** The sections around it, outermost first. */
  readonly around: readonly {
    readonly name: string;
    readonly inverted: boolean;
    readonly found: ResolvedVariable | undefined;
  }[];
  readonly scope: Scope;
  /** The variable that its name refers to. */
  readonly found: ResolvedVariable | undefined;
  /** The node that contains it in the HTML; absent for the subject and the text body. */
  readonly where?: TagUse["where"];
  readonly at: () => SourcePosition;
}

/** The tags of the compiled HTML, in document order. */
export const htmlTags = inContext(({ document }) =>
  document.tags.map(({ tag, where }) => ({ tag, where, at: () => tagPosition(document, { tag, where }) })),
);

/** The tags of the subject. */
export const subjectTags = inContext((checked) =>
  tagsIn(checked.compiled.subject).map(({ text }) => ({ tag: { text }, at: () => subjectPosition(checked, text) })),
);

/** The tags of a hand-written text body; none if the text is derived from the HTML. */
export const textTags = inContext((checked) => {
  const { compiled } = checked;
  const [own, ...parts] = textSources(checked);
  if (!own) return [];
  const paths = new Map(compiled.contract.conditions.map((condition) => [condition.name, condition.path]));
  const tags = tagsIn(compiled.text_body);
  return tags.map(({ text, name }, index) => {
    const nth = tags.slice(0, index).filter((other) => other.text === text).length;
    return { tag: { text }, at: () => positionInText([own, parts], tagPattern(paths.get(name) ?? name, text), nth) };
  });
});

/** The tags of a text body that is derived from the HTML. For their positions, see `htmlTags`. */
export const derivedTextTags = inContext(({ compiled, template }) =>
  template.text
    ? []
    : tagsIn(compiled.text_body).map(({ text }) => ({ tag: { text }, at: () => ({ file: template.body.file }) })),
);

function tagsIn(written: string) {
  return scan(written).tags.map(({ name, start, end }) => ({ name, text: written.slice(start, end) }));
}

export function allTags(checked: CheckedTemplate): readonly TagInPlace[] {
  return [...htmlTags(checked), ...subjectTags(checked), ...textTags(checked)];
}

/** The names of conditions that the compiler adds: MJML renders some elements differently if a value is empty. */
export function conditionsOfCompiler({ conditions }: VariablesContract): ReadonlySet<string> {
  return new Set(conditions.flatMap(({ name, test }) => (test.kind === "empty" ? [name] : [])));
}

/** The names of the sections around a tag that enter a list or an object; not those that only test a boolean. */
export function withinOf({ around }: Pick<TagInPlace, "around">): string[] {
  return around.filter(({ inverted, found }) => !inverted && found && !isBoolean(found)).map(({ name }) => name);
}

function isBoolean({ shape: { kinds, isKnown } }: ResolvedVariable): boolean {
  return isKnown && kinds.every(({ type }) => type === "boolean");
}

/** The nth match in the text body itself, else the first in a part that it includes. */
function positionInText([own, parts]: readonly [SourceFile, readonly SourceFile[]], pattern: RegExp, nth: number) {
  const places = [positionIn(own, pattern, nth), ...parts.map((part) => positionIn(part, pattern))];
  return places.find(({ line }) => line !== undefined) ?? { file: own.file };
}

/** Matches the source of a compiled tag. */
function tagPattern(name: string, compiled: string): RegExp {
  const [sigil = "[{&]?"] = /[#^/]/.exec(compiled.charAt(2)) ?? [];
  return new RegExp(`\\{\\{\\s*${sigil.replace("^", "\\^")}\\s*${name.replaceAll(".", "\\.")}(?:\\s[^{}]*)?\\}`);
}

/** Adds the sections around each tag and its variable. */
function inContext(read: (checked: CheckedTemplate) => readonly TagAt[]) {
  return memoizeByObject((checked: CheckedTemplate): readonly TagInPlace[] => withContext(checked, read(checked)));
}

type TagAt = Pick<TagInPlace, "tag" | "where" | "at">;

function withContext({ compiled }: CheckedTemplate, tags: readonly TagAt[]): TagInPlace[] {
  const placed: TagInPlace[] = [];
  const open: { readonly section: TagInPlace["around"][number]; readonly outside: Scope }[] = [];
  let scope = Scope.of(compiled.contract);
  const added = conditionsOfCompiler(compiled.contract);
  for (const { tag, ...others } of tags) {
    const [scanned] = scan(tag.text).tags;
    if (!scanned) continue;
    const { kind, name } = scanned;
    if (added.has(name)) continue;
    if (kind === "close") scope = open.pop()?.outside ?? scope;
    if (kind !== "variable" && kind !== "unescaped" && kind !== "section" && kind !== "inverted") continue;
    const found = scope.find(name);
    const around = open.map(({ section }) => section);
    placed.push({ kind, name, text: tag.text, tag, around, scope, found, ...others });
    if (kind === "variable" || kind === "unescaped") continue;
    open.push({ section: { name, inverted: kind === "inverted", found }, outside: scope });
    if (kind === "section") scope = scope.within(name);
  }
  return placed;
}

/** A value that a fixture has for a tag. */
export interface Example {
  readonly fixture: string;
  readonly value: unknown;
}

/** The values that the fixtures have for a tag, one for each time it is printed. */
export function examplesOf(tag: TagInPlace, { compiled }: CheckedTemplate): Example[] {
  return compiled.fixtures.flatMap(({ name: fixture, variables }) =>
    valuesOf(variables, { within: withinOf(tag), name: tag.name }).map((value) => ({ fixture, value })),
  );
}

/** Whether a tag's variable comes from `derive`, not from the application. */
export function isDerived({ found }: TagInPlace, { compiled }: CheckedTemplate): boolean {
  const [first = ""] = found?.path.split(/[.[]/) ?? [];
  return Object.hasOwn(compiled.contract.derived?.properties ?? {}, first);
}

/** Whether a tag's value is computed from variables. */
export function isComputed({ found }: TagInPlace, { compiled }: CheckedTemplate): boolean {
  const [first = ""] = found?.path.split(/[.[]/) ?? [];
  return compiled.contract.conditions.some(({ name, test }) => name === first && test.kind === "computed");
}

/** Whether it prints the text of a component's `<script>` or `<style>`, in which nothing can end the element, as in React. */
export function staysInElement({ name }: TagInPlace, { compiled }: CheckedTemplate): boolean {
  return compiled.contract.conditions.some(
    (each) => each.name === name && each.test.kind === "computed" && isWithoutOwnName(each.test.expression),
  );
}

/** Whether a tag prints a value; otherwise it opens a section. */
export function prints({ kind }: TagInPlace): boolean {
  return kind === "variable" || kind === "unescaped";
}

/** Which variables a template uses, in tags, conditions, computed values and code. */
export class UsedVariables {
  readonly #paths: ReadonlySet<string>;
  /** The code of components and their imports. */
  readonly #components: readonly string[];
  /** The code of `variables.ts` and its imports, if it computes something from the values. */
  readonly #derive: readonly string[];
  readonly #takesAll = new Map<string, boolean>();

  constructor(checked: CheckedTemplate) {
    const { contract } = checked.compiled;
    const variables = Scope.of(contract);
    const tested = contract.conditions.flatMap((condition) => variables.dependenciesOf(condition));
    const inTags = allTags(checked).flatMap(({ found }) => found ?? []);
    this.#paths = new Set([...tested, ...inTags].map(({ path }) => path));
    const { template, document } = checked;
    const code = [...document.input.sources].filter(([file]) => IS_CODE.test(file));
    const others = code.filter(([file]) => file !== template.variablesFile).map(([, text]) => text);
    const computes = COMPUTES.test(document.input.sources.get(template.variablesFile ?? "") ?? "");
    this.#components = template.engine === "react" ? others : [];
    this.#derive = computes ? code.map(([, text]) => text) : [];
  }

  /** Whether anything uses a variable or a part of it. */
  uses(path: string): boolean {
    return this.isShown(path) || this.#derive.some((text) => this.#mayRead(text, path));
  }

  /** Whether tags, conditions or components use a variable or a part of it. */
  isShown(path: string): boolean {
    if (this.#paths.has(path)) return true;
    for (const used of this.#paths) if (used.startsWith(`${path}.`) || used.startsWith(`${path}[`)) return true;
    return this.#components.some((text) => this.#mayRead(text, path));
  }

  #mayRead(text: string, path: string): boolean {
    const name = /[^.[\]]+(?=(?:\[\])*$)/.exec(path)?.[0] ?? path;
    const all = this.#takesAll.get(text) ?? takesAll(text);
    this.#takesAll.set(text, all);
    return all || reads(text, name);
  }
}

/** Whether code takes all members of an object, and so may read any variable. Spread styles do not count. */
function takesAll(text: string): boolean {
  if (TAKES_ALL.test(text)) return true;
  const spread = text.replaceAll(/\b\w*[sS]tyle=\{\{[^}]*/g, "").matchAll(SPREAD);
  return Array.from(spread, ([, name]) => name ?? "").some((name) => name === "" || !isConstant(text, name));
}

/** Whether the file itself declares the object. */
function isConstant(text: string, name: string): boolean {
  return new RegExp(`\\bconst ${name.replaceAll("$", "\\$")}\\b[^=;\\n]*= \\{`).test(text);
}

const IS_CODE = /\.[cm]?[jt]sx?$/;

const COMPUTES = /\bderive\b|\.(?:transform|refine|superRefine|check|overwrite|pipe|preprocess)\b/;

const TAKES_ALL = /\bObject\.(?:entries|values|keys|assign)\b|\bJSON\.stringify\b|\bfor\s*\([^)]*\bin\b/;
/** A spread into an object. In a list or arguments a list is spread, and the result of a call is not a variable. */
const SPREAD = /\.\.\.(?!\s*[\w$.]+\s*[\])]|\s*[\w$.]+\()([\w$]+)?/g;

/** Whether code uses a name, and does not only declare it as a key or in a parameter. */
function reads(text: string, name: string): boolean {
  if (!text.includes(name)) return false;
  const word = name.replaceAll("$", "\\$");
  if (new RegExp(`\\.\\s*${word}\\b|\\[\\s*["']${word}["']\\s*\\]`).test(text)) return true;
  if (new RegExp(`\\b${word}\\s*:\\s*(?!(?:${TYPES})\\b|z\\b)[a-z_$][\\w$]*\\s*[,}=]`, "i").test(text)) return true;
  const others = text.replaceAll(new RegExp(`\\b${word}\\??\\s*:`, "g"), "").match(new RegExp(`\\b${word}\\b`, "g"));
  return (others?.length ?? 0) > 1;
}

const TYPES = "string|number|boolean|bigint|unknown|any|null|undefined|true|false";
