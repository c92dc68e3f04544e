/** A value's position in JSON source. Offsets count UTF-16 units. */
export interface JsonNode {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** Members of an object, by name; of repeated names, the last counts, as in `JSON.parse`. */
  readonly members?: ReadonlyMap<string, { readonly key: number; readonly value: JsonNode }>;
  /** Repeated names in an object: the offset of each repetition's key, and of the previous one's. */
  readonly repeated?: readonly { readonly name: string; readonly key: number; readonly before: number }[];
  /** Items of a list. */
  readonly items?: readonly JsonNode[];
}

/** Why a text is not valid JSON, and where. `JSON.parse` does not always report the position. */
export class JsonSyntaxError extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

/** @throws {JsonSyntaxError} */
export function readSyntax(text: string): JsonNode {
  const reader = new Reader(text);
  const root = reader.value();
  reader.end();
  return root;
}

const space = /[ \t\n\r]*/y;
// oxlint-disable-next-line no-control-regex -- JSON strings can't contain control characters
const string = /"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const word = /[\w.+$-]+/y;

class Reader {
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): JsonNode {
    this.#match(space);
    const start = this.#offset;
    if (this.#take("{")) return { start, ...this.#members(), end: this.#offset };
    if (this.#take("[")) return { start, items: this.#items(), end: this.#offset };
    if (this.#at('"')) this.#string();
    else if (this.#match(scalar) === undefined) throw this.#unexpected("a value");
    return { start, end: this.#offset };
  }

  end(): void {
    this.#match(space);
    if (this.#offset < this.#text.length) throw this.#unexpected("the end of the file");
  }

  #members(): Pick<JsonNode, "members" | "repeated"> {
    const members = new Map<string, { key: number; value: JsonNode }>();
    const repeated: { name: string; key: number; before: number }[] = [];
    this.#match(space);
    if (this.#take("}")) return { members };
    do {
      this.#match(space);
      const key = this.#offset;
      if (!this.#at('"')) throw this.#unexpected("a name in double quotes");
      const name = String(JSON.parse(this.#string()));
      this.#match(space);
      if (!this.#take(":")) throw this.#unexpected("a colon");
      const before = members.get(name)?.key;
      if (before !== undefined) repeated.push({ name, key, before });
      members.set(name, { key, value: this.value() });
    } while (this.#more("}"));
    return repeated.length > 0 ? { members, repeated } : { members };
  }

  #items(): JsonNode[] {
    const items: JsonNode[] = [];
    this.#match(space);
    if (this.#take("]")) return items;
    do items.push(this.value());
    while (this.#more("]"));
    return items;
  }

  /** Whether another entry follows; otherwise consumes the closing bracket. */
  #more(closing: "}" | "]"): boolean {
    this.#match(space);
    const comma = this.#offset;
    if (this.#take(closing)) return false;
    if (!this.#take(",")) throw this.#unexpected(`a comma or "${closing}"`);
    this.#match(space);
    if (this.#at(closing)) throw new JsonSyntaxError(`Trailing comma before "${closing}".`, comma);
    return true;
  }

  #string(): string {
    const matched = this.#match(string);
    if (matched !== undefined) return matched;
    const line = /.*/y;
    line.lastIndex = this.#offset;
    const isClosed = /^"(?:[^"\\]|\\.)*"/.test(line.exec(this.#text)?.[0] ?? "");
    throw new JsonSyntaxError(
      isClosed
        ? "This string contains a backslash or tab that JSON does not allow."
        : "This string is not closed on its line.",
      this.#offset,
    );
  }

  #at(character: string): boolean {
    return this.#text[this.#offset] === character;
  }

  #take(character: string): boolean {
    if (!this.#at(character)) return false;
    this.#offset += 1;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset;
    const match = pattern.exec(this.#text)?.[0];
    if (match !== undefined) this.#offset += match.length;
    return match;
  }

  #unexpected(expected: string): JsonSyntaxError {
    const offset = this.#offset;
    const character = this.#text[offset];
    if (character === undefined) return new JsonSyntaxError(`The file ends where ${expected} is expected.`, offset);
    if (character === "'") return new JsonSyntaxError("Names and strings need double quotes.", offset);
    if (/\/[/*]/y.test(this.#text.slice(offset, offset + 2)))
      return new JsonSyntaxError("JSON has no comments.", offset);
    const named = this.#match(word) ?? (character === '"' ? "a double quote" : `"${character}"`);
    return new JsonSyntaxError(`Expected ${expected}, found ${named}.`, offset);
  }
}
