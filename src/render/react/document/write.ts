import { protect, type Tag, token } from "../../../mustache/tokens.js";
import type { Condition } from "../../../mustache/variables.js";
import { type Computation, isComputedKey } from "../runtime/expression.js";
import { type Missing, type Unsupported } from "../runtime/rendering.js";
import { type AccessPath, type Loop, type SourceRange, testedPath } from "../runtime/symbolic.js";
import { type ListSections, listSections, type LoopsOf } from "./list-sections.js";
import { type LocatedOwnName, MustacheNames, type NamedComputation, type SectionScope } from "./names.js";
import type { Alternative, DocumentPart } from "./simplify.js";

/** A tag of the compiled body, with its source position. */
export interface LocatedTag extends Tag {
  readonly site?: SourceRange | undefined;
  /** Whether the component itself contains it as Mustache. */
  readonly isLiteral?: true;
}

const HINT = 'Provide a fallback: `${name ?? ""}`, or make it required in the schema (variables.ts).';

export class MustacheWriter {
  readonly tags: LocatedTag[] = [];
  readonly #names: MustacheNames;
  readonly #findings: Unsupported[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #file: string;
  #wrapped: ReadonlySet<number> = new Set();
  #sections: ListSections = new Map();

  /**
   * @param file The component's file, for tags that it contains itself.
   * @param computations What the document's values were computed by, by their keys.
   * @param shown Names of variables that examples show, if no schema declares the variables.
   * @param ownNames Names found by an earlier writer for the same parts, because names also hide others before them.
   */
  constructor(
    file: string,
    computations: ReadonlyMap<string, Computation>,
    shown?: readonly string[],
    ownNames: readonly LocatedOwnName[] = [],
  ) {
    this.#file = file;
    this.#names = new MustacheNames(ownNames, shown, computations);
  }

  get conditions(): readonly Condition[] {
    return this.#names.conditions;
  }

  get ownNames(): readonly LocatedOwnName[] {
    return this.#names.ownNames;
  }

  get computed(): readonly NamedComputation[] {
    return this.#names.computed;
  }

  get findings(): readonly Unsupported[] {
    const all = [...this.#findings, ...this.#names.findings];
    return [...new Map(all.map((finding) => [JSON.stringify(finding), finding])).values()];
  }

  /** @param isBrief Whether names of conditions should be as short as possible. */
  write(parts: readonly DocumentPart[], isBrief = false): string {
    this.#names.isBrief = isBrief;
    const loopsOf: LoopsOf = (path) => this.#names.loopsOf(path);
    this.#sections = listSections(parts, loopsOf);
    this.#wrapped = wrappedLoops(parts, this.#sections, loopsOf);
    return this.#parts(parts, []);
  }

  #parts(parts: readonly DocumentPart[], scopes: readonly SectionScope[]): string {
    return parts.map((part) => this.#part(part, scopes)).join("");
  }

  #part(part: DocumentPart, scopes: readonly SectionScope[]): string {
    if (part.kind === "text") return this.#text(part.text);
    if (part.kind === "missing") return this.#missing(part);
    if (part.kind === "alternative") return this.#alternative(part, scopes);
    if (part.kind === "value") {
      const name = this.#names.printed(part.path, scopes);
      if (!part.raw) return this.#tag(`{{${name}}}`, part.path.site);
      const layout = part.isCode ? undefined : this.#names.layout(part.path);
      return this.#number({ text: `{{{${name}}}}`, site: part.path.site, ...(layout && { layout }) });
    }
    const around = scopes.findLast((scope) => scope.kind === "item");
    const section = (around?.section.inner ?? this.#sections).get(part);
    if (!section) throw new Error("A section was added while it was written.");
    const { name, entered } = this.#names.section(section, scopes, this.#wrapped.has(part.loop.id));
    return this.#section("#", name, this.#parts(part.body, [...scopes, entered]), part.loop.list.site);
  }

  /** Mustache in the component's own text stays Mustache. */
  #text(text: string): string {
    if (!text.includes("{{")) return text;
    const own: Tag[] = [];
    const protectedText = protect(text, this.#file, own).text;
    return protectedText.replace(/\uE000(\d+)\uE001/g, (_token, number: string) =>
      this.#number({ text: own[Number(number)]?.text ?? "", isLiteral: true }),
    );
  }

  #alternative({ test, yes, no }: Alternative, scopes: readonly SectionScope[]): string {
    const name = this.#names.condition(test, scopes);
    const shown = this.#parts(yes, [...scopes, { kind: "boolean" }]);
    const inverse = this.#parts(no, scopes);
    const { site } = test.path;
    return (
      (shown === "" ? "" : this.#section("#", name, shown, site)) +
      (inverse === "" ? "" : this.#section("^", name, inverse, site))
    );
  }

  #section(kind: "#" | "^", name: string, body: string, site: SourceRange | undefined): string {
    return this.#tag(`{{${kind}${name}}}`, site) + body + this.#tag(`{{/${name}}}`, site);
  }

  #missing({ path, word }: Missing): string {
    // Computed values are reported already, and derive provides them completely.
    if (isComputedKey(path.names[0])) return word;
    this.#findings.push({
      problem: `prints the word "${word}" if it is missing`,
      hint: HINT,
      rule: "react-undefined",
      variable: path.variable,
      site: path.site,
    });
    return word;
  }

  #tag(text: string, site?: SourceRange): string {
    return this.#number({ text, site });
  }

  #number(tag: LocatedTag): string {
    const { text, site, isLiteral = false } = tag;
    const key = `${text} ${site?.file ?? ""} ${site?.start ?? ""} ${isLiteral}`;
    const number = this.#numbers.get(key) ?? this.tags.push(tag) - 1;
    this.#numbers.set(key, number);
    return token(number);
  }
}

/**
 * The lists whose items must be wrapped in objects, to give them a name and allow conditions on them: lists of strings whose
 * items are tested, get copies of other lists, or are printed where `.` is something else; and lists with nulls among their
 * items, in which Mustache would look up members further out.
 */
function wrappedLoops(parts: readonly DocumentPart[], sections: ListSections, loopsOf: LoopsOf): ReadonlySet<number> {
  const wrapped = new Set(
    homesOfCopies(sections)
      .filter(needsWrapping)
      .map(({ id }) => id),
  );
  /** @param innermost The loop whose item `.` is; undefined in a section over a boolean. */
  const visit = (list: readonly DocumentPart[], around: readonly Loop[], innermost: Loop | undefined): void => {
    const wrap = (path: AccessPath): void => {
      const ids = new Set(loopsOf(path).map(({ id }) => id));
      const loop = around.findLast(({ id }) => ids.has(id));
      if (loop && needsWrapping(loop)) wrapped.add(loop.id);
    };
    for (const part of list) {
      if (part.kind === "each") {
        const isBoolean = part.loop.list.excluded?.includes("boolean") === true;
        visit(part.body, [...around, part.loop], isBoolean ? undefined : part.loop);
        const inner = part.loop.list;
        if (needsName(inner) || (isItem(inner) && (wrapped.has(part.loop.id) || inner.loop?.id !== innermost?.id))) {
          wrap(inner);
        }
      } else if (part.kind === "alternative") {
        const path = testedPath(part.test);
        if (needsName(path) || isItem(path)) wrap(path);
        visit(part.yes, around, undefined);
        visit(part.no, around, innermost);
      } else if (
        part.kind !== "text" &&
        (needsName(part.path) || (isItem(part.path) && part.path.loop?.id !== innermost?.id))
      ) {
        wrap(part.path);
      }
    }
  };
  visit(parts, [], undefined);
  return wrapped;
}

/** The loops to whose items copies of other lists are added. */
function homesOfCopies(sections: ListSections): Loop[] {
  return [...sections.values()].flatMap(({ home, isCopied, inner }) => [
    ...(home && isCopied ? [home.loop] : []),
    ...homesOfCopies(inner),
  ]);
}

function needsWrapping(loop: Loop): boolean {
  return !anyItem(loop).isOnly("object") || hasNulls(loop);
}

function isItem({ loop, names }: AccessPath): boolean {
  return loop !== undefined && names.length === 0;
}

/** Whether it is added to the item itself, which must be an object, or is a member of an item that may be null. */
function needsName({ loop, names: [name] }: AccessPath): boolean {
  return loop !== undefined && name !== undefined && (name.startsWith("[") || isComputedKey(name) || hasNulls(loop));
}

function hasNulls(loop: Loop): boolean {
  return anyItem(loop).kinds.has("null");
}

function anyItem({ list }: Loop): AccessPath {
  return list.with({ shape: list.shape.items() });
}
