import type { SourcePosition } from "../../diagnostic.js";
import { scan } from "../../mustache/scan.js";
import type { Tag } from "../../mustache/tokens.js";
import type { VariablesContract } from "../../mustache/variables.js";
import type { TagUse } from "../document/email-document.js";
import type { SourceFile } from "../../template/template.js";
import type { CheckedTemplate } from "../rule.js";
import { positionOfNth, subjectPosition, tagPosition } from "../source-position.js";
import { textSources } from "../text-sources.js";
import { type Found, Scope } from "../../mustache/scope.js";

/** A tag that prints, or that opens a section, where it stands. */
export interface TagInPlace {
  readonly kind: "variable" | "unescaped" | "section" | "inverted";
  readonly name: string;
  /** The tag as it is compiled. */
  readonly text: string;
  readonly tag: Tag;
  /** The sections around it, the outermost first. */
  readonly around: readonly { readonly name: string; readonly inverted: boolean; readonly found: Found | undefined }[];
  readonly scope: Scope;
  /** What its name stands for. */
  readonly found: Found | undefined;
  /** What holds it in the html; absent for subject and text. */
  readonly where?: TagUse["where"];
  readonly at: () => SourcePosition;
}

const known = new WeakMap<CheckedTemplate, Map<string, readonly TagInPlace[]>>();

/** The tags of the compiled html, in the order of the document. */
export function htmlTags(checked: CheckedTemplate): readonly TagInPlace[] {
  return kept(checked, "html", () => {
    const { document } = checked;
    return inPlace(
      checked,
      document.tags.map(({ tag, where }) => ({ tag, where, at: () => tagPosition(document, { tag, where }) })),
    );
  });
}

/** The tags of the subject. */
export function subjectTags(checked: CheckedTemplate): readonly TagInPlace[] {
  return kept(checked, "subject", () => {
    const tags = scan(checked.compiled.subject).tags.map(({ start, end }) =>
      checked.compiled.subject.slice(start, end),
    );
    return inPlace(
      checked,
      tags.map((text) => ({ tag: { text }, at: () => subjectPosition(checked, text) })),
    );
  });
}

/** The tags of a text body that a person wrote; none where it is derived from the html. */
export function textTags(checked: CheckedTemplate): readonly TagInPlace[] {
  return kept(checked, "text", () => {
    const [own, ...parts] = textSources(checked);
    if (!own) return [];
    const times = new Map<string, number>();
    const asked = new Map(checked.compiled.contract.conditions.map((condition) => [condition.name, condition.path]));
    const tags = scan(checked.compiled.text_body).tags.map(({ name, start, end }) => {
      const written = checked.compiled.text_body.slice(start, end);
      const nth = times.get(written) ?? 0;
      times.set(written, nth + 1);
      return {
        tag: { text: written },
        at: () => placeInText([own, parts], tagPattern(asked.get(name) ?? name, written), nth),
      };
    });
    return inPlace(checked, tags);
  });
}

/** The tags of a text body that is derived from the html: where they were written, those of the html tell. */
export function derivedTextTags(checked: CheckedTemplate): readonly TagInPlace[] {
  return kept(checked, "derived text", () => {
    const { compiled, template } = checked;
    if (template.text) return [];
    const at = () => ({ file: template.body.file });
    const tags = scan(compiled.text_body).tags.map(({ start, end }) => compiled.text_body.slice(start, end));
    return inPlace(
      checked,
      tags.map((text) => ({ tag: { text }, at })),
    );
  });
}

export function allTags(checked: CheckedTemplate): readonly TagInPlace[] {
  return [...htmlTags(checked), ...subjectTags(checked), ...textTags(checked)];
}

/** The names of conditions that no source asks for: MJML builds an element in another way where a value is empty. */
export function askedByCompiler({ conditions }: VariablesContract): ReadonlySet<string> {
  return new Set(conditions.flatMap(({ name, test }) => (test.kind === "empty" ? [name] : [])));
}

/** The names of the sections around a tag that change where names are looked for; not those that only ask something. */
export function withinOf({ around }: Pick<TagInPlace, "around">): string[] {
  return around.filter(({ inverted, found }) => !inverted && found && !isBoolean(found)).map(({ name }) => name);
}

function isBoolean({ shape: { kinds, isKnown } }: Found): boolean {
  return isKnown && kinds.every(({ type }) => type === "boolean");
}

/** The nth in the text body itself, else the first of a part that it includes. */
function placeInText([own, parts]: readonly [SourceFile, readonly SourceFile[]], pattern: RegExp, nth: number) {
  const places = [positionOfNth(own, pattern, nth), ...parts.map((part) => positionOfNth(part, pattern, 0))];
  return places.find(({ line }) => line !== undefined) ?? { file: own.file };
}

/** A tag as it was written that is compiled to this one. */
function tagPattern(name: string, compiled: string): RegExp {
  const [sigil = "[{&]?"] = /[#^/]/.exec(compiled.charAt(2)) ?? [];
  return new RegExp(`\\{\\{\\s*${sigil.replace("^", "\\^")}\\s*${name.replaceAll(".", "\\.")}(?:\\s[^{}]*)?\\}`, "g");
}

function kept(checked: CheckedTemplate, part: string, make: () => readonly TagInPlace[]): readonly TagInPlace[] {
  const parts = known.get(checked) ?? new Map<string, readonly TagInPlace[]>();
  known.set(checked, parts);
  const tags = parts.get(part) ?? make();
  parts.set(part, tags);
  return tags;
}

interface TagAt {
  readonly tag: Tag;
  readonly where?: TagUse["where"];
  readonly at: () => SourcePosition;
}

interface OpenSection {
  readonly section: TagInPlace["around"][number];
  /** What was the scope outside of it. */
  readonly outside: Scope;
}

function inPlace({ compiled }: CheckedTemplate, tags: readonly TagAt[]): TagInPlace[] {
  const placed: TagInPlace[] = [];
  const open: OpenSection[] = [];
  let scope = Scope.of(compiled.contract);
  const asked = askedByCompiler(compiled.contract);
  for (const { tag, ...others } of tags) {
    const [scanned] = scan(tag.text).tags;
    if (!scanned) continue;
    const { kind, name } = scanned;
    if (asked.has(name)) continue;
    if (kind === "close") scope = open.pop()?.outside ?? scope;
    if (kind !== "variable" && kind !== "unescaped" && kind !== "section" && kind !== "inverted") continue;
    const found = scope.find(name);
    placed.push({
      kind,
      name,
      text: tag.text,
      tag,
      around: open.map(({ section }) => section),
      scope,
      found,
      ...others,
    });
    if (kind === "variable" || kind === "unescaped") continue;
    open.push({ section: { name, inverted: kind === "inverted", found }, outside: scope });
    if (kind === "section") scope = scope.within(name);
  }
  return placed;
}
