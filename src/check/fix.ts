import type { Diagnostic, Edit } from "../diagnostic.js";

export interface Fixed {
  /** The new texts of changed files, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** The findings that are fixed. */
  readonly fixed: readonly Diagnostic[];
}

/**
 * Applies edits: all of a finding's, or none. A finding is skipped if the source differs from what
 * an edit removes, or if an edit touches another one. Line endings and a byte order mark are kept.
 *
 * @param read A file's exact text; undefined if it must not be changed.
 */
export function fix(diagnostics: readonly Diagnostic[], read: (file: string) => string | undefined): Fixed {
  const sources = new Map<string, string | undefined>();
  const sourceOf = (file: string): string | undefined => {
    if (!sources.has(file)) sources.set(file, read(file));
    return sources.get(file);
  };
  const placed: PlacedEdit[] = [];
  const fixed = diagnostics.filter(({ edits = [] }) => {
    const own = edits.flatMap((edit) => locate(edit, sourceOf(edit.at.file)) ?? []);
    const isFree = own.every((edit) => placed.every((other) => isSame(edit, other) || !touch(edit, other)));
    if (edits.length === 0 || own.length < edits.length || !isFree) return false;
    // A shared part gets the same edit from each template that includes it.
    placed.push(...own.filter((edit) => !placed.some((other) => isSame(edit, other))));
    return true;
  });
  const texts = new Map<string, string>();
  for (const { file, start, end, insert } of placed.toSorted((a, b) => b.start - a.start)) {
    const text = texts.get(file) ?? sourceOf(file) ?? "";
    texts.set(file, text.slice(0, start) + insert + text.slice(end));
  }
  return { texts, fixed };
}

/** An edit by offsets in the original text. */
interface PlacedEdit {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly insert: string;
}

/** Undefined if the text there differs from what is to be removed. */
function locate({ at, remove, insert }: Edit, text: string | undefined): PlacedEdit | undefined {
  if (text === undefined) return undefined;
  const { file, line, column } = at;
  const lines = text.replace(/^\uFEFF/, "").split(/(?<=\r(?!\n)|\n)/);
  const written = lines[line - 1];
  if (written === undefined || column - 1 > written.length) return undefined;
  const before = lines.slice(0, line - 1).join("").length;
  const start = (text.startsWith("\uFEFF") ? 1 : 0) + before + column - 1;
  const found = new RegExp(remove.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("\n", "(?:\\r\\n?|\\n)"), "y");
  found.lastIndex = start;
  const [removed] = found.exec(text) ?? [];
  const lineEnd = /\r\n?|\n/.exec(text)?.[0] ?? "\n";
  return removed === undefined
    ? undefined
    : { file, start, end: start + removed.length, insert: insert.replaceAll("\n", lineEnd) };
}

function isSame(a: PlacedEdit, b: PlacedEdit): boolean {
  return a.file === b.file && a.start === b.start && a.end === b.end && a.insert === b.insert;
}

/** Two insertions at one place touch as well, because their order is undefined. */
function touch(a: PlacedEdit, b: PlacedEdit): boolean {
  return a.file === b.file && (a.start === b.start || (a.start < b.end && b.start < a.end));
}
