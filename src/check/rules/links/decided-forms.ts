import { parse, type MustacheNode } from "../../../mustache/parse.js";

/** Beyond this many the rest is as good as more of the same. */
const MOST_FORMS = 16;

/**
 * What a value can come to, each of its sections shown once or left out. Sections that are about the same variable go
 * together; the tags that print variables stay. A value that sections leave empty is not counted.
 *
 * @example
 * decidedForms("{{#live}}https://a.example{{/live}}{{^live}}/test{{/live}}/{{id}}");
 * // ["https://a.example/{{id}}", "/test/{{id}}"]
 */
export function decidedForms(value: string): readonly string[] {
  if (!value.includes("{{#") && !value.includes("{{^")) return [value];
  const { nodes } = parse(value);
  const names = [...namesOf(nodes)];
  const count = Math.min(2 ** names.length, MOST_FORMS);
  const forms = Array.from({ length: count }, (_, number) => {
    const shown = new Set(names.filter((_name, index) => ((number >> index) & 1) === 0));
    return write(nodes, value, shown);
  });
  return [...new Set(forms)].filter((form) => form !== "");
}

function namesOf(nodes: readonly MustacheNode[], names = new Set<string>()): Set<string> {
  for (const node of nodes) {
    if (node.kind !== "section") continue;
    names.add(node.name);
    namesOf(node.children, names);
  }
  return names;
}

function write(nodes: readonly MustacheNode[], value: string, shown: ReadonlySet<string>): string {
  return nodes
    .map((node) => {
      if (node.kind === "section")
        return shown.has(node.name) === node.inverted ? "" : write(node.children, value, shown);
      return value.slice(node.start, node.end);
    })
    .join("")
    .trim();
}
