import * as fc from "fast-check";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { describe, expect, it } from "vitest";
import { findMisplaced } from "../../../src/text/markup/nesting.js";
import { scanMarkup } from "../../../src/text/markup/scan.js";

/** Each as `how written in around`. */
function misplaced(html: string): string[] {
  const { pieces } = scanMarkup(html);
  return findMisplaced(pieces, ({ start, end }) => html.slice(start, end).trim() !== "").map(
    ({ piece: { start, end }, how, around }) => `${how} ${html.slice(start, end)} ${around}`.trim(),
  );
}

const row = (html: string) => `<table><tr>${html}</tr></table>`;

describe("findMisplaced", () => {
  it.each([
    ["<table><tr>Hi<td>a</td></tr></table>", "fostered Hi tr"],
    ["<table>&nbsp;<tr><td>a</td></tr></table>", "fostered &nbsp; table"],
    ["<table><tbody><div><p>a</p></div><tr><td>a</td></tr></tbody></table>", "fostered <div> tbody"],
    ["<table><br><tr><td>a</td></tr></table>", "fostered <br> table"],
    ["<table><input type=text><tr><td>a</td></tr></table>", "fostered <input type=text> table"],
    ["<table><table><tr><td>a</td></tr></table></table>", "ends <table> table"],
    ["<div><tr><td>a</td></tr></div>", "dropped <tr>"],
    ["<tbody><tr><td>a</td></tr></tbody>", "dropped <tbody>"],
    ["<table><td>a</td><td>b</td></table>", "wrapped <td> table"],
    ["<table><tbody><th>a</th></tbody></table>", "wrapped <th> tbody"],
    [row("<td>a<td>b</td></td>"), "ends <td> td"],
    [row("<td>a<div><tr><td>b</td></tr></div></td>"), "ends <tr> td"],
    [row("<tr><td>b</td></tr>"), "ends <tr> tr"],
    [row("<tbody><tr><td>b</td></tr></tbody>"), "ends <tbody> tr"],
    ["<p>a<div>b</div>c</p>", "ends <div> p"],
    ["<p>a<p>b</p></p>", "ends <p> p"],
    ["<p><span><ul><li>a</li></ul></span></p>", "ends <ul> p"],
    ["<p><span>a<div>b</div></span>", "ends <div> p"],
    ["<p>a<table><tr><td><p>b</p></td></tr></table></p>", "ends <table> p"],
    ["<a href=1>a<span><a href=2>b</a></span></a>", "ends <a href=2> a"],
    ["<a href=1><table><a href=2>b</a></table></a>", "fostered <a href=2> table"],
    ["<button>a<button>b</button></button>", "ends <button> button"],
    ["<form><div><form><p>a</p></form></div></form>", "dropped <form> form"],
    ["<h2>a<h3>b</h3></h2>", "ends <h3> h2"],
    ["<ul><li>a<li>b</li></li></ul>", "ends <li> li"],
    ["<html><body><p>a</p><html><head></head><body>b</body></html></body></html>", "again <html>"],
    ["<html><body><p>a</p><body style=1>b</body></body></html>", "again <body style=1>"],
    ["<div><div/></div>", "stays-open <div/>"],
    ["<a href='x'/>", "stays-open <a href='x'/>"],
  ])("finds in %s that %s", (html, found) => {
    expect(misplaced(html)).toEqual([found]);
  });

  it.each([
    "<table><!-- a --><style>p{}</style><script>a</script><form><tr><td>a</td></tr></form><input type=hidden></table>",
    "<table><caption><p>a</p></caption><colgroup><col></colgroup><thead><tr><th>a</th></tr></thead><tbody><tr></tr></tbody></table>",
    "<table><col><tr><td>a</td></tr></table>",
    row("<td><p>a</p><div><table><tr><td><p>b</p></td></tr></table></div></td>"),
    "<p>a<p>b<div>c</div><p>d</p>",
    "<td-like></td-like><ul><li>a<li>b<ul><li>c</ul><li>d</li></ul><dl><dt>a<dd>b<dt>c</dl>",
    "<a href=1><table><tr><td><a href=2>b</a></td></tr></table></a>",
    "<a href=1>a</a><a href=2><div><h1>a</h1></div></a>",
    "<p><a href=1>a</a><button>b</button><img src=a /><br/></p>",
    "<svg><path/><g><a/><p/></g></svg><math><mi/></math>",
    "<table><!--[if mso]>a<div><![endif]--><tr><td><o:p/><v:rect/>a</td></tr></table>",
    "<h1><span><h2>a</h2></span></h1>",
    "<p><object><p>a</p></object></p>",
  ])("reports nothing for %s", (html) => {
    expect(misplaced(html)).toEqual([]);
  });

  it("agrees with an HTML parser about the first problem", () => {
    fc.assert(
      fc.property(trees(), (tree) => {
        const written = new Written(tree);
        const { pieces } = scanMarkup(written.html);
        const found = findMisplaced(pieces, () => true);
        const [first] = found;
        const moved = written.firstMoved();
        // To end a link, a parser moves its content out of it, even if the reported problem put one link into the other; and a second
        // form's end tag ends the first.
        if (first && ["a", "nobr", "form"].some((name) => nestsItself(tree, name)))
          expect(moved).toBeLessThanOrEqual(first.piece.start);
        else expect(first?.piece.start).toBe(moved);
      }),
      { numRuns: process.env["MODE"] === "long" ? 30_000 : 1000 },
    );
  });
});

interface Tree {
  readonly name: string;
  readonly children: readonly Tree[];
}

const LEAVES = ["hr", "br", "img", "col", "#text", "#comment"];
const ANY =
  "div p span b a ul ol li dl dt dd h1 h2 blockquote hr br button form nobr center font img object table table " +
  "tbody tr td th caption colgroup col #text #text #comment";
/** Whether an element of this name contains another one, at any depth. */
function nestsItself(tree: Tree, name: string, isWithin = false): boolean {
  const isNamed = tree.name === name;
  return (isNamed && isWithin) || tree.children.some((child) => nestsItself(child, name, isWithin || isNamed));
}

/** Typical contents of an element, so that not all nestings are wrong at their start. */
const USUAL: Readonly<Record<string, string>> = {
  table: "caption colgroup tbody tbody tr tr tr",
  tbody: "tr",
  tr: "td td th",
  ul: "li",
  ol: "li",
  dl: "dt dd",
  p: "span b a #text",
  span: "b a #text",
  a: "span b #text img",
  colgroup: "col",
};

/** Each number chooses how many children, and which. */
function trees(): fc.Arbitrary<Tree> {
  return fc.array(fc.nat(10_000), { minLength: 5, maxLength: 80, size: "max" }).map((choices) => {
    const left = [...choices];
    const grow = (name: string, depth: number): Tree => {
      const count = LEAVES.includes(name) || depth > 8 ? 0 : (left.shift() ?? 0) % 4;
      const children = Array.from({ length: count }, () => {
        const choice = left.shift() ?? 0;
        const names = (choice % 15 === 0 ? ANY : (USUAL[name] ?? "div p table #text a ul h2 form")).split(" ");
        return grow(names[Math.floor(choice / 15) % names.length] ?? "", depth + 1);
      });
      return { name, children };
    };
    return grow("body", 0);
  });
}

/** The start of each surrounding element, the outermost first. */
type Path = readonly number[];

/** A tree as HTML, with the positions of its nodes. */
class Written {
  html = "<!doctype html><html><head></head>";
  readonly #nodes: { readonly start: number; readonly path: Path; readonly text: string }[] = [];

  constructor(tree: Tree) {
    this.#write(tree, [this.html.indexOf("<html>")]);
  }

  #write({ name, children }: Tree, path: Path): void {
    const start = this.html.length;
    if (name === "#comment") {
      this.html += "<!-- a -->";
      return;
    }
    const text = name === "#text" ? `t${this.#nodes.length}.` : "";
    this.#nodes.push({ start, path, text });
    this.html += text || `<${name}>`;
    if (LEAVES.includes(name)) return;
    for (const child of children) this.#write(child, [...path, start]);
    this.html += `</${name}>`;
  }

  /** The start of the first node that a browser puts into other elements than it is written in. */
  firstMoved(): number | undefined {
    // A link that is ended by a block occurs several times.
    const parsed = new Map<string | number, string[]>();
    const add = (key: string | number, path: Path) => parsed.set(key, [...(parsed.get(key) ?? []), String(path)]);
    const visit = (node: DefaultTreeAdapterTypes.ChildNode, path: Path): void => {
      const start = node.sourceCodeLocation?.startOffset;
      if (node.nodeName === "#text" && "value" in node)
        for (const [text] of node.value.matchAll(/t\d+\./g)) add(text, path);
      if (!("childNodes" in node)) return;
      if (start !== undefined) add(start, path);
      // A tbody or colgroup that isn't written is ignored.
      const isAdded = /^(?:tbody|colgroup)$/.test(node.nodeName) && start === undefined;
      for (const child of node.childNodes) visit(child, isAdded ? path : [...path, start ?? -1]);
    };
    for (const child of parse(this.html, { sourceCodeLocationInfo: true }).childNodes) visit(child, []);
    return this.#nodes.find(({ start, path, text }) => !parsed.get(text || start)?.includes(String(path)))?.start;
  }
}
