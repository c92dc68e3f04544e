import type { Diagnostic, SourcePosition } from "../../diagnostic.js";
import { scan } from "../../mustache/scan.js";
import type { VariablesSchema } from "../../mustache/variables.js";
import { positionAt } from "../../position.js";
import type { Template } from "../../template/template.js";
import type { SitedTag } from "./document/write.js";
import type { ReceivedVariables } from "./received.js";
import type { Sources } from "./component-bundles.js";

/**
 * Tags that a component writes itself, `{"{{name}}"}`, with names that neither an example nor the type has: the braces were
 * hardly meant for Mustache. Where nothing is known, that is reported anyway; a `variables.ts` says which names there are.
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
        message: `The text ${text} becomes a Mustache tag, and neither a fixture nor the props' type has "${name}".`,
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

/** The names of all members that a type has, at whatever depth. */
function namesIn({ properties = {}, items, anyOf = [] }: VariablesSchema): string[] {
  const inner = [...Object.values(properties), ...(typeof items === "object" ? [items] : []), ...anyOf];
  return [...Object.keys(properties), ...inner.flatMap(namesIn)];
}

/** The names of all members, at whatever depth. */
function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...keysIn(member)]);
}
