import type { SourcePosition } from "../../diagnostic.js";
import { scan } from "../../mustache/scan.js";
import type { Tag } from "../../mustache/tokens.js";
import type { VariablesContract } from "../../mustache/variables.js";
import type { TagUse } from "../document/email-document.js";
import type { SourceFile } from "../../project/template.js";
import type { CheckedTemplate } from "../rule.js";
import { positionIn, subjectPosition, tagPosition } from "../source-position.js";
import { textSources } from "../text-sources.js";
import { findVariable, type ResolvedVariable, Scope } from "../../mustache/scope.js";

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
export function htmlTags(checked: CheckedTemplate): readonly TagInPlace[] {
  return cached(checked, "html", ({ document }) =>
    document.tags.map(({ tag, where }) => ({ tag, where, at: () => tagPosition(document, { tag, where }) })),
  );
}

/** The tags of the subject. */
export function subjectTags(checked: CheckedTemplate): readonly TagInPlace[] {
  return cached(checked, "subject", ({ compiled }) =>
    tagsIn(compiled.subject).map(({ text }) => ({ tag: { text }, at: () => subjectPosition(checked, text) })),
  );
}

/** The tags of a hand-written text body; none if the text is derived from the HTML. */
export function textTags(checked: CheckedTemplate): readonly TagInPlace[] {
  return cached(checked, "text", ({ compiled }) => {
    const [own, ...parts] = textSources(checked);
    if (!own) return [];
    const paths = new Map(compiled.contract.conditions.map((condition) => [condition.name, condition.path]));
    const tags = tagsIn(compiled.text_body);
    return tags.map(({ text, name }, index) => {
      const nth = tags.slice(0, index).filter((other) => other.text === text).length;
      return { tag: { text }, at: () => positionInText([own, parts], tagPattern(paths.get(name) ?? name, text), nth) };
    });
  });
}

/** The tags of a text body that is derived from the HTML. For their positions, see `htmlTags`. */
export function derivedTextTags(checked: CheckedTemplate): readonly TagInPlace[] {
  return cached(checked, "derived text", ({ compiled, template }) =>
    template.text
      ? []
      : tagsIn(compiled.text_body).map(({ text }) => ({ tag: { text }, at: () => ({ file: template.body.file }) })),
  );
}

function tagsIn(written: string) {
  return scan(written).tags.map(({ name, start, end }) => ({ name, text: written.slice(start, end) }));
}

export function allTags(checked: CheckedTemplate): readonly TagInPlace[] {
  return [...htmlTags(checked), ...subjectTags(checked), ...textTags(checked)];
}

/** The names of conditions that the compiler adds: MJML renders some elements differently if a value is empty. */
export function askedByCompiler({ conditions }: VariablesContract): ReadonlySet<string> {
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

const known = new WeakMap<CheckedTemplate, Map<string, readonly TagInPlace[]>>();

function cached(
  checked: CheckedTemplate,
  part: string,
  read: (checked: CheckedTemplate) => readonly TagAt[],
): readonly TagInPlace[] {
  const parts = known.get(checked) ?? new Map<string, readonly TagInPlace[]>();
  known.set(checked, parts);
  const tags = parts.get(part) ?? withContext(checked, read(checked));
  parts.set(part, tags);
  return tags;
}

type TagAt = Pick<TagInPlace, "tag" | "where" | "at">;

interface OpenSection {
  readonly section: TagInPlace["around"][number];
  /** The scope outside the section. */
  readonly outside: Scope;
}

function withContext({ compiled }: CheckedTemplate, tags: readonly TagAt[]): TagInPlace[] {
  const placed: TagInPlace[] = [];
  const open: OpenSection[] = [];
  let scope = Scope.of(compiled.contract);
  const added = askedByCompiler(compiled.contract);
  for (const { tag, ...others } of tags) {
    const [scanned] = scan(tag.text).tags;
    if (!scanned) continue;
    const { kind, name } = scanned;
    if (added.has(name)) continue;
    if (kind === "close") scope = open.pop()?.outside ?? scope;
    if (kind !== "variable" && kind !== "unescaped" && kind !== "section" && kind !== "inverted") continue;
    const found = findVariable(scope, name);
    const around = open.map(({ section }) => section);
    placed.push({ kind, name, text: tag.text, tag, around, scope, found, ...others });
    if (kind === "variable" || kind === "unescaped") continue;
    open.push({ section: { name, inverted: kind === "inverted", found }, outside: scope });
    if (kind === "section") scope = scope.within(name);
  }
  return placed;
}
