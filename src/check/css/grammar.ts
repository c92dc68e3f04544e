import { walk } from "css-tree/definition-syntax";
import data from "css-tree/dist/data";
import { Lexer } from "css-tree/lexer";
import type { DSNode } from "css-tree";

// Its tables are large: `loadGrammar` of ./values.ts is the way to this module.
const lexer = new Lexer({ generic: true, ...data, types: { ...data.types, ...corrections() } }, {}, {});

export const PROPERTIES: readonly string[] = Object.keys(lexer.properties).filter((name) => !name.startsWith("-"));
export const AT_RULES: readonly string[] = Object.keys(data.atrules);

/** Whether there is a property of this name, in lower case. */
export function isProperty(name: string): boolean {
  return lexer.getProperty(name) !== null;
}

/** Whether a property takes a value, without `!important`, or css-tree gives up on a long one. */
export function takes(property: string, value: string): boolean {
  const { matched, error } = withoutWarnings(() => lexer.matchProperty(property, value));
  return matched !== null || error?.message.startsWith("Maximum iteration number exceeded") === true;
}

/** css-tree takes a radius of `circle()` for one of a gradient, which is a length or two. */
function corrections(): Record<string, string> {
  const size = "<length-percentage [0,∞]>";
  return { "radial-size": `<radial-extent>{1,2}|${size}{1,2}` };
}

/** css-tree prints a warning where it gives up. */
function withoutWarnings<Result>(match: () => Result): Result {
  const { warn } = console;
  // oxlint-disable-next-line no-console -- there is no other way to tell css-tree
  console.warn = () => undefined;
  try {
    return match();
  } finally {
    // oxlint-disable-next-line no-console
    console.warn = warn;
  }
}

/** The keywords that a property knows, names of colours too. */
export function wordsOf(property: string): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<DSNode>();
  const visit = (syntax: DSNode | null | undefined): void => {
    if (!syntax || seen.has(syntax)) return;
    seen.add(syntax);
    walk(syntax, (node) => {
      if (node.type === "Keyword" && /^[a-z]/.test(node.name)) found.add(node.name);
      else if (node.type === "Type") visit(lexer.types[node.name]?.syntax);
      else if (node.type === "Property") visit(lexer.properties[node.name]?.syntax);
    });
  };
  visit(lexer.getProperty(property)?.syntax);
  return [...found];
}
