import type { Diagnostic, SourcePosition } from "../../diagnostic.js";
import { scan } from "../../mustache/scan.js";
import type { Variables } from "../../mustache/variables.js";
import { positionAt } from "../../position.js";
import type { Template } from "../../template/template.js";
import type { SitedTag } from "./document/write.js";
import type { Sources } from "./sources.js";

/**
 * Tags that a component writes itself, `{"{{name}}"}`, with names that no example has: the braces were hardly meant for
 * Mustache. Where there is no example, that is reported anyway; where there is a schema, it says which names there are.
 */
export function literalTags(
  tags: readonly SitedTag[],
  { name: template, body: { file } }: Template,
  { examples, sources }: { readonly examples: readonly Variables[]; readonly sources: Sources },
): Diagnostic[] {
  const known = new Set(examples.flatMap(keysIn));
  if (known.size === 0) return [];
  return tags.flatMap(({ text, isLiteral }): Diagnostic[] => {
    const [tag] = isLiteral ? scan(text).tags : [];
    const [name = ""] = tag?.name.split(/[.\s]/) ?? [];
    if (!/^[\p{L}_]/u.test(name) || known.has(name) || tag?.kind === "close") return [];
    return [
      {
        rule: "react-literal-tag",
        severity: "warning",
        message: `The text ${text} becomes a Mustache tag, and no fixture has "${name}".`,
        template,
        at: writtenAt(text, file, sources),
        hint: `If it is a variable, add it to a fixture, and print it as {${name}}. To show the braces, put something between them: { {${name}} }.`,
      },
    ];
  });
}

/** Where a tag stands that a component writes itself; the component's file alone where it is put together. */
export function writtenAt(tag: string, file: string, sources: Sources): SourcePosition {
  for (const [source, text] of [[file, sources.get(file) ?? ""] as const, ...sources]) {
    const offset = text.indexOf(tag);
    if (offset >= 0) return { file: source, ...positionAt(text, offset) };
  }
  return { file };
}

/** The names of all members, at whatever depth. */
function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...keysIn(member)]);
}
