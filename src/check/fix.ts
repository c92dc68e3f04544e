import type { Diagnostic, Edit } from "../diagnostic.js";

export interface Fixed {
  /** The files' new texts, by their paths: only those that changed. */
  readonly texts: ReadonlyMap<string, string>;
  /** The findings that are fixed by it. */
  readonly fixed: readonly Diagnostic[];
}

/**
 * Makes the changes that fix findings: all or none for one finding. A change is left out where the source differs from what
 * it removes, or where it touches another one. Line ends and a byte order mark stay as they are.
 *
 * @param read A file's text, exactly as it is; undefined where it is not to be changed.
 *
 * @example
 * const { texts, fixed } = fix(diagnostics, (file) => readFileSync(file, "utf8"));
 */
export function fix(diagnostics: readonly Diagnostic[], read: (file: string) => string | undefined): Fixed {
  const files = new Map<string, FileEdits | undefined>();
  const editsOf = (file: string): FileEdits | undefined => {
    if (!files.has(file)) {
      const text = read(file);
      files.set(file, text === undefined ? undefined : new FileEdits(text));
    }
    return files.get(file);
  };
  const fixed = diagnostics.filter(({ edits = [] }) => {
    const placed = edits.map((edit) => ({ file: editsOf(edit.at.file), edit }));
    if (placed.length === 0 || !placed.every(({ file, edit }) => file?.takes(edit))) return false;
    for (const { file, edit } of placed) file?.add(edit);
    return true;
  });
  const texts = new Map<string, string>();
  for (const [file, edits] of files) if (edits?.hasChanges) texts.set(file, edits.apply());
  return { texts, fixed };
}

interface PlacedEdit {
  readonly start: number;
  readonly end: number;
  readonly insert: string;
}

/** The changes of one file, by offsets of its text as it is. */
class FileEdits {
  readonly #text: string;
  readonly #lineStarts: readonly number[];
  readonly #edits: PlacedEdit[] = [];

  constructor(text: string) {
    this.#text = text;
    const first = text.startsWith("\uFEFF") ? 1 : 0;
    this.#lineStarts = [first, ...Array.from(text.matchAll(/\r\n?|\n/g), ({ 0: end, index }) => index + end.length)];
  }

  get hasChanges(): boolean {
    return this.#edits.length > 0;
  }

  takes(edit: Edit): boolean {
    const placed = this.#place(edit);
    return placed !== undefined && this.#edits.every((each) => isSame(each, placed) || !touch(each, placed));
  }

  add(edit: Edit): void {
    const placed = this.#place(edit);
    // What a shared part's line needs, each template that includes it asks for.
    if (placed && !this.#edits.some((each) => isSame(each, placed))) this.#edits.push(placed);
  }

  apply(): string {
    let text = this.#text;
    for (const { start, end, insert } of this.#edits.toSorted((a, b) => b.start - a.start))
      text = text.slice(0, start) + insert + text.slice(end);
    return text;
  }

  /** Undefined where something else stands there. */
  #place({ at, remove, insert }: Edit): PlacedEdit | undefined {
    const lineStart = this.#lineStarts[at.line - 1];
    if (lineStart === undefined) return undefined;
    const start = lineStart + at.column - 1;
    const found = new RegExp(remove.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("\n", "(?:\\r\\n?|\\n)"), "y");
    found.lastIndex = start;
    const [removed] = found.exec(this.#text) ?? [];
    if (removed === undefined || start > (this.#lineStarts[at.line] ?? Infinity)) return undefined;
    return { start, end: start + removed.length, insert: insert.replaceAll("\n", this.#lineEnd) };
  }

  get #lineEnd(): string {
    return /\r\n?|\n/.exec(this.#text)?.[0] ?? "\n";
  }
}

function isSame(a: PlacedEdit, b: PlacedEdit): boolean {
  return a.start === b.start && a.end === b.end && a.insert === b.insert;
}

/** Two that insert at one place touch as well: which comes first, nobody said. */
function touch(a: PlacedEdit, b: PlacedEdit): boolean {
  return a.start === b.start || (a.start < b.end && b.start < a.end);
}
