export interface Element {
  /** In lower case. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Node[];
}

/** An element, or text with its entities decoded. */
export type Node = Element | string;

interface OpenElement extends Element {
  readonly children: Node[];
}

/** Parses HTML as it is nested; unlike a browser, it moves nothing out of tables. Comments are dropped. */
export async function parseHtml(html: string): Promise<Element> {
  const { Parser } = await import("htmlparser2");
  const root: OpenElement = { name: "", attributes: {}, children: [] };
  const open: OpenElement[] = [root];
  const parser = new Parser({
    onopentag(name, attributes) {
      const element: OpenElement = { name, attributes, children: [] };
      open.at(-1)?.children.push(element);
      open.push(element);
    },
    onclosetag() {
      open.pop();
    },
    ontext(text) {
      const children = open.at(-1)?.children ?? [];
      const last = children.at(-1);
      if (typeof last === "string") children[children.length - 1] = last + text;
      else children.push(text);
    },
  });
  parser.end(html);
  return root;
}

/** All text in a node, unchanged. */
export function textIn(node: Node): string {
  return typeof node === "string" ? node : node.children.map(textIn).join("");
}

/** The first matching descendant, in document order. */
export function findElement(node: Element, fits: (element: Element) => boolean): Element | undefined {
  for (const child of node.children) {
    if (typeof child === "string") continue;
    const match = fits(child) ? child : findElement(child, fits);
    if (match) return match;
  }
  return undefined;
}

export function isBlank(node: Node): boolean {
  return typeof node === "string" && node.trim() === "";
}
