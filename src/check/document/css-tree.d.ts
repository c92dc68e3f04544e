declare module "css-tree/parser" {
  import type { CssNode, ParseOptions } from "css-tree";

  /** The parser alone: css-tree's main module loads the syntax of all properties, too. */
  export default function parse(text: string, options?: ParseOptions): CssNode;
}
