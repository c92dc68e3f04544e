import type { Diagnostic, SourcePosition } from "../../diagnostic.js";
import { scan } from "../../mustache/scan.js";
import type { VariablesSchema } from "../../mustache/variables.js";
import { positionAt } from "../../text/position.js";
import type { Template } from "../../template/template.js";
import type { SitedTag } from "./document/write.js";
import type { ReceivedVariables } from "./received.js";
import type { Sources } from "./component-bundles.js";

/**
 * Reports tags in a component's own text, `{"{{name}}"}`, whose names neither an example nor the type has: the braces were
 * probably not meant as Mustache. Nothing is reported if no names are known, or if a `variables.ts` checks them anyway.
 */
export function literalTags(
  tags: readonly SitedTag[],
  { name: template, body: { file } }: Template,
  { received, sources }: { readonly received: ReceivedVariables; readonly sources: Sources },
): Diagnostic[] {
  const { schema, isOpen, examples } = received;
  if (schema && !isOpen) return [];
  const known = new Set([...examples.flatMap(keysIn), ...(schema ? namesIn(schema) : [])]);
  if (known.size === 0) return [];
  return tags.flatMap(({ text, isLiteral }): Diagnostic[] => {
    const [tag] = isLiteral ? scan(text).tags : [];
    const [name = ""] = tag?.name.split(/[.\s]/) ?? [];
    if (!/^[\p{L}_]/u.test(name) || known.has(name) || tag?.kind === "close") return [];
    return [
      {
        rule: "react-literal-tag",
        severity: "warning",
        message: `The text ${text} becomes a Mustache tag, but neither a fixture nor the type of the props has "${name}".`,
        template,
        at: writtenAt(text, file, sources),
        hint: `If it is a variable, add it to a fixture, and print it as {${name}}. To show the braces, put a space between them: { {${name}} }.`,
      },
    ];
  });
}

/** The source position of a tag in a component's own text; only the file if the tag is assembled at run time. */
export function writtenAt(tag: string, file: string, sources: Sources): SourcePosition {
  for (const [source, text] of [[file, sources.get(file) ?? ""] as const, ...sources]) {
    const offset = text.indexOf(tag);
    if (offset >= 0) return { file: source, ...positionAt(text, offset) };
  }
  return { file };
}

/** The names of all members of a type, at any depth. */
function namesIn({ properties = {}, items, anyOf = [] }: VariablesSchema): string[] {
  const inner = [...Object.values(properties), ...(typeof items === "object" ? [items] : []), ...anyOf];
  return [...Object.keys(properties), ...inner.flatMap(namesIn)];
}

/** The names of all members, at any depth. */
function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...keysIn(member)]);
}
