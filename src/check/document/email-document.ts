import type { SourcePosition } from "../../diagnostic.js";
import { type Tag, type TagTable, TOKEN } from "../../mustache/tokens.js";
import type { Place } from "../../render/source/locate.js";
import type { EmailComment, EmailElement, EmailNode, EmailText } from "./nodes.js";
import { readHtml } from "./read-html.js";
import { Sources } from "./sources.js";
import { type AtRule, readStylesheet, type StyleRule } from "./stylesheet.js";

/** What a document is made from: plain data, which a worker can be sent. */
export interface DocumentInput {
  /** Tokenised; elements that a user wrote carry the number of their place in an attribute. */
  readonly html: string;
  /** What the tokens stand for. */
  readonly tags: TagTable;
  /** Where elements were written; empty where nothing is known. */
  readonly places: readonly Place[];
  /** The texts of the template's files by their paths, its body first. */
  readonly sources: ReadonlyMap<string, string>;
}

/** A Mustache tag of the compiled html, and what holds it. */
export interface TagUse {
  readonly tag: Tag;
  readonly where:
    | { readonly kind: "text"; readonly node: EmailText }
    | { readonly kind: "attribute"; readonly element: EmailElement; readonly attribute: string }
    /** In the name of an element, or among its attributes without being in a value. */
    | { readonly kind: "name"; readonly element: EmailElement }
    | { readonly kind: "comment"; readonly node: EmailComment };
}

/**
 * A template's compiled html as a tree. It is what mail clients other than Outlook for Windows see; conditional comments
 * are comments. Nothing is moved: a section's tags stay text where they stand, also between a table's rows.
 *
 * @example
 * const document = new EmailDocument(input);
 * for (const image of document.named("img")) if (!image.attributes.has("alt")) report(image.at());
 */
export class EmailDocument {
  readonly input: DocumentInput;
  /** Holds what stands at the top: usually one `html`. Its name is empty. */
  readonly root: EmailElement;
  /** All elements, in the order of the document. */
  readonly elements: readonly EmailElement[];
  /** All texts, also those of `style`, `script` and `title`. */
  readonly texts: readonly EmailText[];
  readonly comments: readonly EmailComment[];
  /** `html` of `<!doctype html>`, in lower case; undefined without one. */
  readonly doctype: string | undefined;
  readonly #sources: Sources;
  #byName: ReadonlyMap<string, readonly EmailElement[]> | undefined;
  #tags: readonly TagUse[] | undefined;
  #sheets: { readonly rules: readonly StyleRule[]; readonly atRules: readonly AtRule[] } | undefined;

  constructor(input: DocumentInput) {
    this.input = input;
    this.#sources = new Sources(input);
    const { root, elements, texts, comments, doctype } = readHtml(input, this.#sources);
    this.root = root;
    this.elements = elements;
    this.texts = texts;
    this.comments = comments;
    this.doctype = doctype;
  }

  /** The elements that only Outlook sees, of conditional comments. */
  get outlookElements(): readonly EmailElement[] {
    return this.comments.flatMap(({ isConditional, tokenised }) =>
      isConditional && tokenised.includes("<")
        ? readHtml({ ...this.input, html: withinCondition(tokenised) }, this.#sources).elements
        : [],
    );
  }

  /** Whether it is known which elements a user wrote. */
  get isSited(): boolean {
    return this.input.places.length > 0;
  }

  /** The body, or all where there is none. */
  get body(): EmailElement {
    return this.first("body") ?? this.root;
  }

  /** The elements of these names, in the order of the document. */
  named(...names: readonly string[]): EmailElement[] {
    const [only = ""] = names;
    if (names.length === 1) return [...this.#named(only)];
    return this.elements.filter(({ name }) => names.includes(name));
  }

  first(name: string): EmailElement | undefined {
    return this.#named(name)[0];
  }

  /** Nearly every rule asks. */
  #named(name: string): readonly EmailElement[] {
    this.#byName ??= byName(this.elements);
    return this.#byName.get(name) ?? [];
  }

  /** The rules of all `style` elements, in their order, those within `@media` included. */
  get styleRules(): readonly StyleRule[] {
    return this.#readSheets().rules;
  }

  /** Every at-rule of all `style` elements. */
  get atRules(): readonly AtRule[] {
    return this.#readSheets().atRules;
  }

  /** Every tag, in the order of the document. */
  get tags(): readonly TagUse[] {
    this.#tags ??= this.#readTags();
    return this.#tags;
  }

  #readTags(): TagUse[] {
    const { tags } = this.input;
    const uses: TagUse[] = [];
    const add = (text: string, where: TagUse["where"]): void => {
      if (!text.includes("\uE000")) return;
      for (const [, number] of text.matchAll(TOKEN)) {
        const tag = tags[Number(number)];
        if (tag) uses.push({ tag, where });
      }
    };
    const visit = (node: EmailNode): void => {
      if (node.kind === "text") return add(node.tokenised, { kind: "text", node });
      if (node.kind === "comment") return add(node.tokenised, { kind: "comment", node });
      add(node.name, { kind: "name", element: node });
      for (const [attribute, value] of node.hasTags ? node.tokenised : []) {
        add(attribute, { kind: "name", element: node });
        add(value, { kind: "attribute", element: node, attribute });
      }
      for (const child of node.children) visit(child);
    };
    visit(this.root);
    return uses;
  }

  /** Where one of the template's files has this, written as it is; the body's file alone where none has. */
  positionOf(written: string): SourcePosition {
    return this.#sources.find(written) ?? { file: this.#sources.body };
  }

  /** Where one of the template's files has a part of a longer text; undefined of what no file has. */
  positionWithin(text: string, offset: number): SourcePosition | undefined {
    return this.#sources.findWithin(text, offset);
  }

  #readSheets() {
    if (this.#sheets) return this.#sheets;
    const sheets = this.named("style").map((element) =>
      readStylesheet(element, (text, offset) => this.positionWithin(text, offset)),
    );
    this.#sheets = {
      rules: sheets.flatMap(({ rules }) => rules),
      atRules: sheets.flatMap(({ atRules }) => atRules),
    };
    return this.#sheets;
  }
}

/** What stands between `[if mso]>` and `<![endif]`. */
function withinCondition(comment: string): string {
  return comment.replace(/^\[if[^\]]*\]>/, "").replace(/<!\[endif\]$/, "");
}

function byName(elements: readonly EmailElement[]): Map<string, EmailElement[]> {
  const found = new Map<string, EmailElement[]>();
  for (const element of elements) {
    const others = found.get(element.name);
    if (others) others.push(element);
    else found.set(element.name, [element]);
  }
  return found;
}
