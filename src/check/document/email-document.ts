import type { SourcePosition } from "../../diagnostic.js";
import { TOKEN, type Tag, type TagTable } from "../../mustache/tokens.js";
import type { RecordedPosition } from "../../render/source/mapped-text.js";
import { EmailComment, EmailElement, EmailText, type EmailNode } from "./nodes.js";
import { Sources } from "./sources.js";
import { readStylesheet, type AtRule, type StyleRule } from "./stylesheet.js";
import { Parser } from "htmlparser2";
import { SITE_ATTRIBUTE } from "../../text/markup/scan.js";

/** The input of an `EmailDocument`: plain data that can be sent to a worker. */
export interface DocumentInput {
  /** Tokenised. Elements that a user wrote have an attribute with their index in `places`. */
  readonly html: string;
  /** The Mustache tags that the tokens stand for. */
  readonly tags: TagTable;
  /** Where elements were written; empty if unknown. */
  readonly places: readonly RecordedPosition[];
  /** The contents of the template's files by path, starting with its body. */
  readonly sources: ReadonlyMap<string, string>;
}

/** A Mustache tag in the compiled HTML, and the node that contains it. */
export interface TagUse {
  readonly tag: Tag;
  readonly where:
    | { readonly kind: "text"; readonly node: EmailText }
    | { readonly kind: "attribute"; readonly element: EmailElement; readonly attribute: string }
    /** In an element's name, or between its attributes. */
    | { readonly kind: "name"; readonly element: EmailElement }
    | { readonly kind: "comment"; readonly node: EmailComment };
}

/**
 * A template's compiled HTML as a tree, as every email client except Outlook for Windows sees it: conditional comments
 * are comments. Nothing is moved: the tags of a section between table rows stay there as text.
 *
 * @example
 * const document = new EmailDocument(input);
 * for (const image of document.named("img")) if (!image.attributes.has("alt")) report(image.at());
 */
export class EmailDocument {
  readonly input: DocumentInput;
  /** Contains the top-level nodes, usually one `html` element. Its name is empty. */
  readonly root: EmailElement;
  /** All elements, in document order. */
  readonly elements: readonly EmailElement[];
  /** All text nodes, including those in `style`, `script` and `title`. */
  readonly texts: readonly EmailText[];
  readonly comments: readonly EmailComment[];
  /** For `<!doctype html>`: `html`, in lower case. */
  readonly doctype: string | undefined;
  /** The template's files. */
  readonly sources: Sources;
  #byName: ReadonlyMap<string, readonly EmailElement[]> | undefined;
  #byStart: ReadonlyMap<number | undefined, EmailElement | EmailText> | undefined;
  #tags: readonly TagUse[] | undefined;
  #sheets: { readonly rules: readonly StyleRule[]; readonly atRules: readonly AtRule[] } | undefined;

  constructor(input: DocumentInput, sources = new Sources(input.sources)) {
    this.input = input;
    this.sources = sources;
    const { root, elements, texts, comments, doctype } = readHtml(this);
    this.root = root;
    this.elements = elements;
    this.texts = texts;
    this.comments = comments;
    this.doctype = doctype;
  }

  /** The elements in conditional comments, which only Outlook sees. */
  get outlookElements(): readonly EmailElement[] {
    return this.comments.flatMap(({ isConditional, tokenised }) =>
      isConditional && tokenised.includes("<")
        ? new EmailDocument({ ...this.input, html: withinCondition(tokenised) }, this.sources).elements
        : [],
    );
  }

  /** Whether we know which elements a user wrote. */
  get isSited(): boolean {
    return this.input.places.length > 0;
  }

  /** The `<body>`, or the root if there is none. */
  get body(): EmailElement {
    return this.first("body") ?? this.root;
  }

  /** The elements with any of these names, in document order. */
  named(...names: readonly string[]): EmailElement[] {
    const [only = ""] = names;
    if (names.length === 1) return [...this.#named(only)];
    return this.elements.filter(({ name }) => names.includes(name));
  }

  first(name: string): EmailElement | undefined {
    return this.#named(name)[0];
  }

  /** Indexed, because nearly every rule looks elements up by name. */
  #named(name: string): readonly EmailElement[] {
    this.#byName ??= byName(this.elements);
    return this.#byName.get(name) ?? [];
  }

  /** The element or text that begins at an offset of the input HTML. */
  nodeAt(start: number): EmailElement | EmailText | undefined {
    this.#byStart ??= new Map([...this.elements, ...this.texts].map((node) => [node.start, node]));
    return this.#byStart.get(start);
  }

  /** The rules of all `style` elements in order, including those in `@media`. */
  get styleRules(): readonly StyleRule[] {
    return this.#readSheets().rules;
  }

  /** Every at-rule of all `style` elements. */
  get atRules(): readonly AtRule[] {
    return this.#readSheets().atRules;
  }

  /** Every Mustache tag, in document order. */
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

  /** Where this string first appears in the template's files; the body's file without a line if it does not. */
  positionOf(written: string): SourcePosition {
    return this.sources.find(written) ?? { file: this.sources.body };
  }

  /** Where a file has the part of `text` that begins at an offset. */
  positionWithin(text: string, offset: number): SourcePosition | undefined {
    return this.sources.findWithin(text, offset);
  }

  #readSheets() {
    if (this.#sheets) return this.#sheets;
    const sheets = this.named("style").map(readStylesheet);
    this.#sheets = {
      rules: sheets.flatMap(({ rules }) => rules),
      atRules: sheets.flatMap(({ atRules }) => atRules),
    };
    return this.#sheets;
  }
}

/** The content between `[if mso]>` and `<![endif]`. */
function withinCondition(comment: string): string {
  return comment.replace(/^\[if[^\]]*\]>/, "").replace(/<!\[endif\]$/, "");
}

function byName(elements: readonly EmailElement[]): Map<string, EmailElement[]> {
  const groups = new Map<string, EmailElement[]>();
  for (const element of elements) {
    const group = groups.get(element.name);
    if (group) group.push(element);
    else groups.set(element.name, [element]);
  }
  return groups;
}

/** Parses a document's HTML as it is nested. Unlike a browser, it moves nothing out of tables. */
function readHtml(document: EmailDocument) {
  const { html, places } = document.input;
  const root = new EmailElement("", undefined, { tokenised: new Map() }, document);
  const elements: EmailElement[] = [];
  const texts: EmailText[] = [];
  const comments: EmailComment[] = [];
  let doctype: string | undefined;
  let open = root;
  let text = "";
  let textStart = 0;
  const endText = (): void => {
    if (text === "") return;
    const node = new EmailText(text, textStart, open, document);
    open.children.push(node);
    texts.push(node);
    text = "";
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      endText();
      const tokenised = new Map(Object.entries(attributes));
      const site = tokenised.get(SITE_ATTRIBUTE);
      tokenised.delete(SITE_ATTRIBUTE);
      const place = site === undefined ? undefined : places[Number(site)];
      // A closing tag can be a whole element: </br>.
      const start = html.startsWith("</", parser.startIndex) ? undefined : parser.startIndex;
      const element = new EmailElement(name, open, { tokenised, place, start }, document);
      open.children.push(element);
      elements.push(element);
      open = element;
    },
    onclosetag() {
      endText();
      open = open.parent ?? root;
    },
    ontext(part) {
      if (text === "") textStart = parser.startIndex;
      text += part;
    },
    oncomment(data) {
      endText();
      const comment = new EmailComment(data, open, document);
      open.children.push(comment);
      comments.push(comment);
    },
    onprocessinginstruction(_name, data) {
      // Browsers ignore a doctype after the first element.
      if (/^!doctype\b/i.test(data) && elements.length === 0)
        doctype ??= data.slice("!doctype".length).trim().toLowerCase();
    },
  });
  parser.end(html);
  return { root, elements, texts, comments, doctype };
}
