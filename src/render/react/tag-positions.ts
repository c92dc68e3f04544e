import type { SourcePosition } from "../../diagnostic.js";
import type { SourceFile } from "../../project/template.js";
import { positionAt } from "../../text/position.js";
import type { ModuleSources } from "./component-bundles.js";

/** A printed tag, with the position of the element that prints it. */
interface PositionedTag {
  readonly text: string;
  readonly at: SourcePosition;
}

/**
 * Moves the positions of tags that a shared component prints to where the template passes their variables to it: errors are
 * fixed there.
 *
 * @example
 * tagsAtCallers([{ text: "{{fare.price}}", at: placeInComponent }], { body, sources }); // [{ …, at: where `{fare.price}` is }]
 */
export function tagsAtCallers<T extends PositionedTag>(
  tags: readonly T[],
  { body, sources }: { readonly body: SourceFile; readonly sources: ModuleSources },
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

/** Possible names of a variable in the source: for the condition `booking_url__is_present`, all its suffixes. */
function namesOf(tag: string): string[] {
  const [, sign = "", name = ""] = /^\{+\s*([#^/]?)[^{}]*?([\w$]+)\s*\}+$/.exec(tag) ?? [];
  if (sign === "") return name === "" ? [] : [name];
  const [path = "", question] = name.split("__");
  const parts = question === undefined ? [] : path.split("_");
  return parts.map((_, index) => parts.slice(index).join("_"));
}

/** Whether the component reads the variable itself, from an object in its props. */
function isOwn({ at }: PositionedTag, name: string, body: SourceFile, sources: ModuleSources): boolean {
  const text = sources.get(at.file);
  if (at.file === body.file || text === undefined || at.line === undefined) return true;
  return new RegExp(`\\.${escaped(name)}(?![\\w$])`).test(text);
}

/** Where a variable is used in braces of JSX or template literals, but not in destructuring patterns. */
function usesIn(text: string, name: string): number[] {
  const pattern = new RegExp(
    `\\{(?:[^{}]*[^\\w$])??(${escaped(name)})(?![\\w$]|\\s*[:=(])[^{}]*\\}(?!\\s*[=:)}])`,
    "g",
  );
  return Array.from(text.matchAll(pattern), ({ index, 0: match }) => {
    return index + match.search(new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`));
  });
}

function escaped(name: string): string {
  return name.replaceAll("$", "\\$");
}
