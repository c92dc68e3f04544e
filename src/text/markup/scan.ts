/*
 * Reads markup (HTML and MJML) as a flat list of pieces with offsets. It builds no tree and moves nothing: a tree-building
 * parser would move tokens out of tables.
 */

export interface Attribute {
  /** As written. */
  readonly name: string;
  readonly start: number;
  /** As written, without its quotes; empty if there is none. */
  readonly value: string;
  readonly valueStart: number;
}

export interface OpenTag {
  readonly kind: "open";
  /** In lower case. */
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly selfClosing: boolean;
  readonly start: number;
  readonly end: number;
}

export type MarkupPiece =
  | OpenTag
  /** `</name>` */
  | { readonly kind: "close"; readonly name: string; readonly start: number; readonly end: number }
  /** `<!-- … -->`, conditional comments included. */
  | { readonly kind: "comment"; readonly start: number; readonly end: number }
  /** `<!doctype …>`, `<?xml …?>`, `<![if …]>`, `<![CDATA[…]]>` */
  | { readonly kind: "declaration"; readonly start: number; readonly end: number }
  /** Text; the content of a style, script, title or textarea is a single piece. */
  | { readonly kind: "text"; readonly start: number; readonly end: number };

export interface MarkupProblem {
  readonly message: string;
  readonly offset: number;
  readonly hint?: string;
}

export interface Markup {
  readonly pieces: readonly MarkupPiece[];
  /** Markup that is never closed, and so swallows what follows it. */
  readonly problems: readonly MarkupProblem[];
}

/** Attribute in a sited build: the number of the source position of its element. */
export const SITE_ATTRIBUTE = "data-lettershop-at";

export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);

/** Whether a comment means something to Outlook: `<!--[if mso]>…<![endif]-->`, `<!--[if !mso]><!-->`, `<!--<![endif]-->`. */
export function isConditionalComment(comment: string): boolean {
  return /^<!--(?:\[if\b|<!\[endif\])|<!\[endif\]-->$/.test(comment);
}

/** A conditional comment that contains all of its content: its beginning, the content, and its end. */
export const CONDITIONAL_BLOCK = /^(<!--\[if\b[^\]]*\]>)(?!<!--)([^]*)(<!\[endif\]-->)$/;

/** Whether a piece is `<![CDATA[…]]>`, which has no meaning in HTML. */
export function isCdata({ kind, start }: MarkupPiece, text: string): boolean {
  return kind === "declaration" && text.startsWith("<![CDATA[", start);
}

const TEXT_ELEMENTS = ["style", "script", "title", "textarea", "mj-style"];
const [EXCLAMATION_MARK, SLASH, LESS_THAN, GREATER_THAN, QUESTION_MARK] = [0x21, 0x2f, 0x3c, 0x3e, 0x3f];
const TAG_NAME = /[^\s/<>]+/y;
const ATTRIBUTE_NAME = /[^\s/>=][^\s/>=<]*/y;
const ATTRIBUTE_EQUALS = /\s*=\s*/y;
const UNQUOTED_VALUE = /[^\s>]*/y;
const SPACE = /[\s/]*/y;
/** Markup, another line, or the next attribute. */
const SWALLOWS = /[<>\n]|\s[^\s=]+=\s*$/;

export function scanMarkup(text: string): Markup {
  const known = recent.get(text);
  if (known) return known;
  const scanner = new Scanner(text);
  scanner.scan();
  recent.set(text, scanner);
  const [oldest] = recent.keys();
  if (oldest !== undefined && recent.size > MOST_RECENT) recent.delete(oldest);
  return scanner;
}

/** Several steps scan the same body one after the other, while a few templates are compiled at a time. */
const recent = new Map<string, Markup>();
const MOST_RECENT = 6;

class Scanner implements Markup {
  readonly pieces: MarkupPiece[] = [];
  readonly problems: MarkupProblem[] = [];
  readonly #text: string;
  /** The end of the text that has been split into pieces. */
  #done = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): void {
    const text = this.#text;
    for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", Math.max(this.#done, at + 1))) this.#take(at);
    this.#takeText(text.length);
  }

  /** Reads the markup at this offset; a `<` that begins no markup stays text. */
  #take(start: number): void {
    const text = this.#text;
    const next = text.charCodeAt(start + 1);
    if (isLetter(next)) {
      this.#takeText(start);
      this.#takeTag(start);
    } else if (next === SLASH && isLetter(text.charCodeAt(start + 2))) {
      const name = text.slice(start + 2, this.#after(TAG_NAME, start + 2)).toLowerCase();
      this.#takeOther({ kind: "close", name, start, end: this.#endOf(`The tag </${name}>`, start, ">") });
    } else if (next === EXCLAMATION_MARK && text.startsWith("--", start + 2)) {
      this.#takeOther({ kind: "comment", start, end: this.#endOfComment(start) });
    } else if (next === EXCLAMATION_MARK || next === QUESTION_MARK) {
      const closing = text.startsWith("<![CDATA[", start) ? "]]>" : ">";
      this.#takeOther({ kind: "declaration", start, end: this.#endOf("This declaration", start, closing) });
    }
  }

  #takeOther(piece: Exclude<MarkupPiece, OpenTag>): void {
    this.#takeText(piece.start);
    this.pieces.push(piece);
    this.#done = Math.max(this.#done, piece.end);
  }

  /** As in browsers: `<!-->` is a whole comment, and `--!>` also ends one. */
  #endOfComment(start: number): number {
    const end = this.#text.indexOf("-->", start + 2);
    const bang = this.#text.slice(start + 4, end < 0 ? undefined : end).indexOf("--!>");
    return bang < 0 ? this.#endOf("This comment", start, "-->") : start + 4 + bang + "--!>".length;
  }

  /** The end of markup that extends to a closing string; the end of the text if that is missing. */
  #endOf(what: string, start: number, closing: string): number {
    const end = this.#text.indexOf(closing, start + 2);
    if (end >= 0) return end + closing.length;
    this.problems.push({ message: `${what} is never closed with ${closing}.`, offset: start });
    return this.#text.length;
  }

  #takeTag(start: number): void {
    const text = this.#text;
    const nameEnd = this.#after(TAG_NAME, start + 1);
    const written = text.slice(start + 1, nameEnd);
    const name = written.toLowerCase();
    const attributes: Attribute[] = [];
    let at = this.#after(SPACE, nameEnd);
    while (!this.#endsTag(at)) at = this.#after(SPACE, this.#takeAttribute(at, attributes));
    const isEnded = text.charCodeAt(at) === GREATER_THAN;
    const swallowing = this.#swallowing(attributes, isEnded);
    if (swallowing) this.#addUnclosed(swallowing);
    else if (!isEnded) this.problems.push({ message: `The tag <${written}> is never closed with ">".`, offset: start });
    const end = isEnded ? at + 1 : at;
    const selfClosing = text.charCodeAt(at - 1) === SLASH && !endsBareValue(attributes.at(-1), at);
    this.pieces.push({ kind: "open", name, attributes, selfClosing, start, end });
    this.#done = end;
    if (!selfClosing && TEXT_ELEMENTS.includes(name)) this.#takeElementText(written, end);
  }

  #endsTag(at: number): boolean {
    const next = this.#text.charCodeAt(at);
    return next === GREATER_THAN || next === LESS_THAN || at >= this.#text.length;
  }

  /** Returns the end of the attribute. */
  #takeAttribute(start: number, attributes: Attribute[]): number {
    const text = this.#text;
    const nameEnd = Math.max(this.#after(ATTRIBUTE_NAME, start), start + 1);
    const name = text.slice(start, nameEnd);
    const equalsEnd = this.#after(ATTRIBUTE_EQUALS, nameEnd);
    const quote = equalsEnd === nameEnd ? "" : text.charAt(equalsEnd);
    if (quote !== '"' && quote !== "'") {
      const end = equalsEnd === nameEnd ? nameEnd : this.#after(UNQUOTED_VALUE, equalsEnd);
      attributes.push({ name, start, value: text.slice(equalsEnd, end), valueStart: equalsEnd });
      return end;
    }
    const closing = text.indexOf(quote, equalsEnd + 1);
    const end = closing < 0 ? text.length : closing;
    const attribute = { name, start, value: text.slice(equalsEnd + 1, end), valueStart: equalsEnd + 1 };
    if (closing < 0) this.#addUnclosed(attribute);
    attributes.push(attribute);
    return Math.min(end + 1, text.length);
  }

  #addUnclosed({ name, valueStart }: Attribute): void {
    this.problems.push({
      message: `The quote that opens the value of ${name} is never closed.`,
      offset: valueStart - 1,
      hint: `Add the missing ${this.#text.charAt(valueStart - 1)} at the end of the value.`,
    });
  }

  /**
   * The attribute with a missing closing quote, whose value extends to the opening quote of another value. Markup inside a
   * value is not proof; but then the text after that quote is the other value's, not the end of a tag.
   */
  #swallowing(attributes: readonly Attribute[], isEnded: boolean): Attribute | undefined {
    const text = this.#text;
    return attributes.find(({ value, valueStart }, index) => {
      const end = valueStart + value.length;
      const quote = text.charAt(valueStart - 1);
      if (!/["']/.test(quote) || text.charAt(end) !== quote || !SWALLOWS.test(value)) return false;
      if (!/^[\s/>]|^$/.test(text.charAt(end + 1))) return true;
      if (!isEnded && /[<>]/.test(value)) return true;
      return attributes.slice(index + 1).some(({ name }) => name.includes(quote));
    });
  }

  #takeElementText(name: string, start: number): void {
    const closing = new RegExp(`</${name}(?=[\\s/>])`, "gi");
    closing.lastIndex = start;
    const match = closing.exec(this.#text);
    if (!match) this.problems.push({ message: `The element <${name}> is never closed.`, offset: start });
    this.#takeText(match?.index ?? this.#text.length);
  }

  #takeText(end: number): void {
    if (end > this.#done) this.pieces.push({ kind: "text", start: this.#done, end });
    this.#done = Math.max(this.#done, end);
  }

  /** The end of a match. Nothing is copied, because a body has thousands of matches. */
  #after(pattern: RegExp, from: number): number {
    pattern.lastIndex = from;
    return pattern.test(this.#text) ? pattern.lastIndex : from;
  }
}

/** In `<a href=https://a.example/>`, the slash belongs to the URL. */
function endsBareValue(attribute: Attribute | undefined, at: number): boolean {
  return attribute !== undefined && attribute.value !== "" && attribute.valueStart + attribute.value.length === at;
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** All HTML elements, including obsolete ones that browsers know; without those of SVG and MathML. */
export const HTML_ELEMENTS: ReadonlySet<string> = new Set(
  (
    "a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br " +
    "button canvas caption center cite code col colgroup content data datalist dd del details dfn dialog dir div dl dt em " +
    "embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe " +
    "img input ins isindex kbd keygen label legend li link listing main map mark marquee math menu menuitem meta meter " +
    "multicol nav nextid nobr noembed noframes noscript object ol optgroup option output p param picture plaintext portal pre " +
    "progress q rb rbc rp rt rtc ruby s samp script search section select shadow slot small source spacer span strike strong " +
    "style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp"
  ).split(" "),
);

const HOLDS_NO_MARKUP: readonly string[] = ["style", "script", "title", "textarea"];

/** The texts of HTML in which a `<` can begin a tag: not those of styles, scripts and titles. */
export function textsIn(html: string): MarkupPiece[] {
  let containsMarkup = true;
  return scanMarkup(html).pieces.filter((piece) => {
    const isText = piece.kind === "text" && containsMarkup;
    containsMarkup = piece.kind !== "open" || !HOLDS_NO_MARKUP.includes(piece.name);
    return isText;
  });
}
