declare module "css-tree/parser" {
  import type { CssNode, ParseOptions } from "css-tree";

  /** The parser alone: css-tree's main module loads the syntax of all properties, too. */
  export default function parse(text: string, options?: ParseOptions): CssNode;
}

declare module "css-tree/tokenizer" {
  export function tokenize(text: string, onToken: (type: number, start: number, end: number) => void): void;
  export const tokenNames: readonly string[];
}

declare module "css-tree/lexer" {
  import type { DSNode } from "css-tree";

  interface Described {
    readonly syntax: DSNode;
  }

  export class Lexer {
    constructor(config: object, syntax?: object, structure?: object);
    readonly properties: Readonly<Record<string, Described>>;
    readonly types: Readonly<Record<string, Described>>;
    getProperty(name: string): Described | null;
    matchProperty(name: string, value: string): { readonly matched: object | null; readonly error: Error | null };
  }
}

declare module "css-tree/definition-syntax" {
  import type { DSNode } from "css-tree";

  export function walk(node: DSNode, enter: (node: DSNode) => void): void;
}

declare module "css-tree/dist/data" {
  const data: {
    readonly types: Readonly<Record<string, string>>;
    readonly properties: Readonly<Record<string, string>>;
    readonly atrules: Readonly<Record<string, object>>;
  };
  export default data;
}
