import type { SourcePosition } from "../../diagnostic.js";
import { positionAt } from "../../position.js";
import type { SourceFile } from "../../template/template.js";
import type { Sources } from "./component-bundles.js";

/** A tag that was printed, and where the element is that prints it. */
interface Printed {
  readonly text: string;
  readonly at: SourcePosition;
}

/**
 * Of tags that a shared component prints, where the template hands their variables to it: what is wrong with them is wrong
 * there.
 *
 * @example
 * handedOn([{ text: "{{fare.price}}", at: placeInComponent }], { body, sources }); // [{ …, at: where `{fare.price}` is }]
 */
export function handedOn<T extends Printed>(
  tags: readonly T[],
  { body, sources }: { readonly body: SourceFile; readonly sources: Sources },
): T[] {
  const counts = new Map<string, number>();
  return tags.map((tag) => {
    const uses = namesOf(tag.text)
      .filter((name) => !isOwn(tag, name, body, sources))
      .map((name) => usesIn(body.text, name))
      .find(({ length }) => length > 0);
    if (!uses) return tag;
    const count = counts.get(tag.text) ?? 0;
    counts.set(tag.text, count + 1);
    const offset = uses[Math.min(count, uses.length - 1)];
    return offset === undefined ? tag : { ...tag, at: { file: body.file, ...positionAt(body.text, offset) } };
  });
}

/** What a variable may be called in the source: of `booking_url__is_present`, which asks for one, all that it can end with. */
function namesOf(tag: string): string[] {
  const [, sign = "", name = ""] = /^\{+\s*([#^/]?)[^{}]*?([\w$]+)\s*\}+$/.exec(tag) ?? [];
  if (sign === "") return name === "" ? [] : [name];
  const [path = "", question] = name.split("__");
  const parts = question === undefined ? [] : path.split("_");
  return parts.map((_, index) => parts.slice(index).join("_"));
}

/** Whether the component reads the variable by itself, of an object that it is given. */
function isOwn({ at }: Printed, name: string, body: SourceFile, sources: Sources): boolean {
  const text = sources.get(at.file);
  if (at.file === body.file || text === undefined || at.line === undefined) return true;
  return new RegExp(`\\.${escaped(name)}(?![\\w$])`).test(text);
}

/** Where a variable stands in the braces of JSX or of a template literal, and not in those that take an object apart. */
function usesIn(text: string, name: string): number[] {
  const pattern = new RegExp(
    `\\{(?:[^{}]*[^\\w$])??(${escaped(name)})(?![\\w$]|\\s*[:=(])[^{}]*\\}(?!\\s*[=:)}])`,
    "g",
  );
  return Array.from(text.matchAll(pattern), ({ index, 0: found }) => {
    return index + found.search(new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`));
  });
}

function escaped(name: string): string {
  return name.replaceAll("$", "\\$");
}
