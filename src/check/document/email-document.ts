import type { SourcePosition } from "../../diagnostic.js";
import { memoizeByObject } from "../../cache/memoize.js";
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
  /** Contains the top-level nodes, usually one `html` element. Its name is empty. */
  readonly root: EmailElement;
  /** All elements, in document order. */
  readonly elements: readonly EmailElement[];
  /** All text nodes, including those in `style`, `script` and `title`. */
  readonly texts: readonly EmailText[];
  readonly comments: readonly EmailComment[];
  /** For `<!doctype html>`: `html`, in lower case. */
  readonly doctype: string | undefined;

  constructor(
    readonly input: DocumentInput,
    /** The template's files. */
    readonly sources = new Sources(input.sources),
  ) {
    const { root, elements, texts, comments, doctype } = readHtml(this);
    this.root = root;
    this.elements = elements;
    this.texts = texts;
    this.comments = comments;
    this.doctype = doctype;
  }

  /** The elements in conditional comments, which only Outlook sees. */
  get outlookElements(): readonly EmailElement[] {
    return outlookElementsOf(this);
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
    if (names.length > 1) return this.elements.filter(({ name }) => names.includes(name));
    return names.flatMap((name) => elementsByName(this).get(name) ?? []);
  }

  first(name: string): EmailElement | undefined {
    return elementsByName(this).get(name)?.[0];
  }

  /** The element or text that begins at an offset of the input HTML. */
  nodeAt(start: number): EmailElement | EmailText | undefined {
    return nodesByStart(this).get(start);
  }

  /** The rules of all `style` elements in order, including those in `@media`. */
  get styleRules(): readonly StyleRule[] {
    return sheetsOf(this).rules;
  }

  /** Every at-rule of all `style` elements. */
  get atRules(): readonly AtRule[] {
    return sheetsOf(this).atRules;
  }

  /** Every Mustache tag, in document order. */
  get tags(): readonly TagUse[] {
    return tagsOf(this);
  }

  /** Where this string first appears in the template's files; the body's file without a line if it does not. */
  positionOf(written: string): SourcePosition {
    return this.sources.find(written) ?? { file: this.sources.body };
  }

  /** Where a file has the part of `text` that begins at an offset. */
  positionWithin(text: string, offset: number): SourcePosition | undefined {
    return this.sources.findWithin(text, offset);
  }
}

/** Indexed, because nearly every rule looks elements up by name. */
const elementsByName = memoizeByObject(({ elements }: EmailDocument): ReadonlyMap<string, readonly EmailElement[]> => {
  const groups = new Map<string, EmailElement[]>();
  for (const element of elements) {
    const group = groups.get(element.name);
    if (group) group.push(element);
    else groups.set(element.name, [element]);
  }
  return groups;
});

const nodesByStart = memoizeByObject(
  ({ elements, texts }: EmailDocument) => new Map([...elements, ...texts].map((node) => [node.start, node])),
);

const sheetsOf = memoizeByObject((document: EmailDocument) => {
  const sheets = document.named("style").map(readStylesheet);
  return { rules: sheets.flatMap(({ rules }) => rules), atRules: sheets.flatMap(({ atRules }) => atRules) };
});

const tagsOf = memoizeByObject(({ input, root }: EmailDocument): readonly TagUse[] => {
  const uses: TagUse[] = [];
  const add = (text: string, where: TagUse["where"]): void => {
    if (!text.includes("\uE000")) return;
    for (const [, number] of text.matchAll(TOKEN)) {
      const tag = input.tags[Number(number)];
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
  visit(root);
  return uses;
});

const outlookElementsOf = memoizeByObject(({ input, sources, comments }: EmailDocument) =>
  comments.flatMap(({ isConditional, tokenised }) =>
    isConditional && tokenised.includes("<")
      ? new EmailDocument({ ...input, html: withinCondition(tokenised) }, sources).elements
      : [],
  ),
);

/** The content between `[if mso]>` and `<![endif]`. */
function withinCondition(comment: string): string {
  return comment.replace(/^\[if[^\]]*\]>/, "").replace(/<!\[endif\]$/, "");
}

/** Parses a document's HTML as it is nested. Unlike a browser, it moves nothing out of tables. */
function readHtml(document: EmailDocument) {
  const { html, places } = document.input;
  const root = new EmailElement(document, "", undefined, new Map());
  const elements: EmailElement[] = [];
  const texts: EmailText[] = [];
  const comments: EmailComment[] = [];
  let doctype: string | undefined;
  let open = root;
  let text = "";
  let textStart = 0;
  const endText = (): void => {
    if (text === "") return;
    const node = new EmailText(document, open, text, textStart);
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
      const element = new EmailElement(document, name, open, tokenised, place, start);
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
      const comment = new EmailComment(document, open, data);
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
