import { walk } from "css-tree/definition-syntax";
import data from "css-tree/dist/data";
import { Lexer } from "css-tree/lexer";
import type { DSNode } from "css-tree";

// The tables are large, so load this module with `loadGrammar` of ./values.ts.
const lexer = new Lexer({ generic: true, ...data, types: { ...data.types, ...corrections() } }, {}, {});

export const PROPERTIES: readonly string[] = Object.keys(lexer.properties).filter((name) => !name.startsWith("-"));
export const AT_RULES: readonly string[] = Object.keys(data.atrules);

/** @param name In lower case. */
export function isProperty(name: string): boolean {
  return lexer.getProperty(name) !== null;
}

/** Whether a value without `!important` is valid for a property. True if css-tree gives up on a long value. */
export function takes(property: string, value: string): boolean {
  const { matched, error } = withoutWarnings(() => lexer.matchProperty(property, value));
  return matched !== null || error?.message.startsWith("Maximum iteration number exceeded") === true;
}

/** css-tree's `radial-size` is that of gradients, which rejects `circle(50%)`. */
function corrections(): Record<string, string> {
  const size = "<length-percentage [0,∞]>";
  return { "radial-size": `<radial-extent>{1,2}|${size}{1,2}` };
}

/** css-tree prints a warning where it gives up. */
function withoutWarnings<Result>(match: () => Result): Result {
  const { warn } = console;
  // oxlint-disable-next-line no-console -- css-tree has no option for it
  console.warn = () => undefined;
  try {
    return match();
  } finally {
    // oxlint-disable-next-line no-console
    console.warn = warn;
  }
}

/** The keywords that a property accepts, including colour names. */
export function wordsOf(property: string): readonly string[] {
  const keywords = new Set<string>();
  const visited = new Set<DSNode>();
  const visit = (syntax: DSNode | null | undefined): void => {
    if (!syntax || visited.has(syntax)) return;
    visited.add(syntax);
    walk(syntax, (node) => {
      if (node.type === "Keyword" && /^[a-z]/.test(node.name)) keywords.add(node.name);
      else if (node.type === "Type") visit(lexer.types[node.name]?.syntax);
      else if (node.type === "Property") visit(lexer.properties[node.name]?.syntax);
    });
  };
  visit(lexer.getProperty(property)?.syntax);
  return [...keywords];
}
