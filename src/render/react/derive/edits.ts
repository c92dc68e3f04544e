/** A change of a module's text that lets a component read what `derive` gives. */
export type Edit =
  /** What stands there is another text; an insertion where it is empty. */
  | {
      readonly kind: "replace";
      readonly file: string;
      readonly start: number;
      readonly end: number;
      readonly text: string;
    }
  /** One name more in a pattern that takes an object apart; `at` is where, `before` and `after` what goes with it. */
  | {
      readonly kind: "name";
      readonly file: string;
      readonly at: number;
      readonly name: string;
      readonly before: string;
      readonly after: string;
    }
  /** An item that was a text or a number, and now is an object with that as its value. */
  | {
      readonly kind: "item";
      readonly file: string;
      readonly start: number;
      readonly end: number;
      readonly item: string;
      readonly name: string;
    };

/** Lines of a file, and what to write in their place. */
export interface LineChange {
  readonly file: string;
  /** Counted from 1. */
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Edits as changes of whole lines, in their order in each file. */
export function lineChanges(edits: readonly Edit[], sources: ReadonlyMap<string, string>): LineChange[] {
  const files = [...new Set(edits.map(({ file }) => file))];
  return files.flatMap((file) => {
    const own = edits.filter((edit) => edit.file === file);
    return changesOf(file, sources.get(file) ?? "", replacementsOf(own));
  });
}

function replacementsOf(edits: readonly Edit[]): Replacement[] {
  const found = new Map<string, Replacement>();
  for (const edit of edits) {
    if (edit.kind === "replace") found.set(`${edit.start} ${edit.end} ${edit.text}`, edit);
    else if (edit.kind === "name") {
      const { at, name, before, after } = edit;
      found.set(`${at} ${name}`, { start: at, end: at, text: before + name + after });
    } else {
      const key = `item ${edit.start}`;
      const names = found.get(key)?.text.slice(0, -2) ?? `{ value: ${edit.item}`;
      const text = names.split(", ").includes(edit.name) ? names : `${names}, ${edit.name}`;
      found.set(key, { start: edit.start, end: edit.end, text: `${text} }` });
    }
  }
  const all = [...found.values()].sort((a, b) => a.start - b.start || a.end - b.end);
  // What is within something that is replaced as a whole is gone with it.
  return all.filter((one) => !all.some((other) => other !== one && isWithin(one, other)));
}

function isWithin(one: Replacement, other: Replacement): boolean {
  if (one.start === other.start && one.end === other.end) return false;
  return other.start <= one.start && one.end <= other.end && other.start < other.end && one.start < other.end;
}

function changesOf(file: string, source: string, replacements: readonly Replacement[]): LineChange[] {
  const changes: LineChange[] = [];
  let group: Replacement[] = [];
  const lineEnd = (offset: number): number => {
    const end = source.indexOf("\n", offset);
    return end < 0 ? source.length : end;
  };
  const finish = (): void => {
    const [first, last] = [group[0], group.at(-1)];
    if (!first || !last) return;
    const start = source.lastIndexOf("\n", first.start - 1) + 1;
    const end = lineEnd(last.end);
    let text = "";
    let from = start;
    for (const { start: at, end: to, text: written } of group) {
      text += source.slice(from, at) + written;
      from = to;
    }
    text = (text + source.slice(from, end)).replace(/\r$/, "");
    changes.push({ file, first: lineOf(source, start), last: lineOf(source, end), text });
    group = [];
  };
  for (const replacement of replacements) {
    const last = group.at(-1);
    if (last && replacement.start > lineEnd(last.end)) finish();
    group.push(replacement);
  }
  finish();
  return changes;
}

function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length;
}
