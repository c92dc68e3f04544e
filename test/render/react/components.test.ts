import { expect, test } from "vitest";
import { z } from "zod";
import type { Variables, VariablesSchema } from "../../../src/mustache/variables.js";
import { component, Project } from "./project.js";

const project = await Project.make();

/** A component, its compiled body, and the rules that report something. */
async function compiled(source: string, ...examples: readonly Variables[]) {
  const fixtures = Object.fromEntries(examples.map((example, index) => [`example-${index}`, example]));
  const { html, diagnostics } = await project.prove(source, { fixtures });
  return { html, rules: diagnostics.map(({ rule }) => rule) };
}

test("a variable of each item may be its inner HTML", async () => {
  const examples = [{ notes: [{ html: "<b>x</b> & y" }, { html: "z" }] }];
  for (const list of [
    "{props.notes.map((n) => <p dangerouslySetInnerHTML={{ __html: n.html }} />)}",
    "{props.notes.map((n) => { const __html = n.html; return <p dangerouslySetInnerHTML={{ __html }} />; })}",
  ]) {
    const html = "<div>{{#notes}}<p>{{{html}}}</p>{{/notes}}</div>";
    expect(await compiled(component(list), ...examples)).toEqual({ html, rules: [] });
  }
});

const TREE = { text: "a", replies: [{ text: "b", replies: [] }] };

test("recursion over a list is refused once, where it is written", async () => {
  const source = `const Comment = ({ c }) => <div>
  {c.text}
  {c.replies.map((r) => <Comment c={r} />)}
</div>;
export default ({ tree }) => <Comment c={tree} />;`;
  const { diagnostics } = await project.compile(source, { fixtures: { default: { tree: TREE } } });
  expect(diagnostics).toMatchObject([{ rule: "react-unsupported", at: { line: 3, column: 4 } }]);
  expect(diagnostics[0]?.message).toContain("repeats inside itself endlessly, but Mustache has no recursion");
  expect(diagnostics[0]?.hint).toContain("turn the tree into one list");
});

test("recursion ends early in functions that call themselves twice, in mutual recursion, and without a list", async () => {
  const twice = `const line = (c) => <li>{c.text}{c.replies.map(line)}{c.replies.map((r) => line(r))}</li>;
export default ({ tree }) => line(tree);`;
  const other = `const A = ({ c }) => <div>{c.replies.map((r) => <B c={r} />)}</div>;
const B = ({ c }) => <p>{c.text}<A c={c} /></p>;
export default ({ tree }) => <A c={tree} />;`;
  const single = `const Node = ({ n }) => <div>{n.text}{n.child && <Node n={n.child} />}</div>;
export default ({ tree }) => <Node n={tree} />;`;
  for (const source of [twice, other, single]) {
    const { diagnostics } = await project.compile(source, { fixtures: { default: { tree: TREE } } });
    expect(diagnostics).toMatchObject([{ rule: "react-unsupported", at: { line: 1 } }]);
    expect(diagnostics[0]?.message).toContain("repeats inside itself");
  }
});

test("a component may render itself down to a depth that it counts", async () => {
  const source = `const Comment = ({ c, depth }) => <div>{c.text}{depth < 3 && c.replies.map((r) => <Comment c={r} depth={depth + 1} />)}</div>;
export default ({ tree }) => <Comment c={tree} depth={1} />;`;
  const fixture = { text: "a", replies: [{ text: "b", replies: [{ text: "c", replies: [] }] }] };
  const { html, rules } = await compiled(source, { tree: fixture });
  expect(rules).toEqual([]);
  expect(html).toBe(
    "<div>{{tree.text}}{{#tree.replies}}<div>{{text}}{{#replies}}<div>{{text}}</div>{{/replies}}</div>{{/tree.replies}}</div>",
  );
});

const BLOCKS = `const blocks = { text: ({ text }) => <p>{text}</p>, title: ({ text }) => <h1>{text}</h1> };
export default ({ items }) => <div>{items.map((b) => { const Block = blocks[b.type]; return <Block {...b} />; })}</div>;`;
const BLOCK_ITEMS = {
  items: [
    { type: "text", text: "A" },
    { type: "title", text: "B" },
  ],
};

test("a component chosen by a variable requires known values", async () => {
  const fixtures = { default: BLOCK_ITEMS };
  const { diagnostics } = await project.compile(BLOCKS, { fixtures });
  expect(diagnostics).toMatchObject([
    {
      message:
        "`<Block {...b} />` may be undefined instead of a component; type of an item of items is only known when an email is filled.",
      at: { line: 2 },
      hint: expect.stringContaining('`type: z.enum(["text", "title"])`'),
    },
  ]);
  const schema = z.toJSONSchema(
    z.object({ items: z.array(z.object({ type: z.enum(["text", "title"]), text: z.string() })) }),
  );
  const proven = await project.prove(BLOCKS, { fixtures, schema: schema as VariablesSchema });
  expect(proven.diagnostics).toEqual([]);
  expect(proven.html).toBe(
    "<div>{{#items}}{{#type__is_text}}<p>{{text}}</p>{{/type__is_text}}{{^type__is_text}}<h1>{{text}}</h1>{{/type__is_text}}{{/items}}</div>",
  );
});

test("only the members of its own kind are spread into a chosen component", async () => {
  const source = `const blocks = { text: (p) => <p {...p} />, image: (p) => <img {...p} />, rule: () => <hr /> };
export default ({ items }) => <div>{items.map((b) => { const Block = blocks[b.type]; return <Block {...b} />; })}</div>;`;
  const kinds = [
    z.object({ type: z.literal("text"), title: z.string(), lang: z.string() }),
    z.object({ type: z.literal("image"), src: z.string(), alt: z.string(), width: z.string(), height: z.string() }),
    z.object({ type: z.literal("rule") }),
  ] as const;
  const schema = z.toJSONSchema(z.object({ items: z.array(z.discriminatedUnion("type", kinds)) }));
  const items = [
    { type: "text", title: "A", lang: "en" },
    { type: "image", src: "https://a.example/b.png", alt: "B", width: "1", height: "2" },
    { type: "rule" },
  ];
  const proven = await project.prove(source, { fixtures: { default: { items } }, schema: schema as VariablesSchema });
  expect(proven.diagnostics).toEqual([]);
  expect(proven.html).toContain('<p type="{{type}}" title="{{title}}" lang="{{lang}}"></p>');
});

test("an undefined component is refused where it is used", async () => {
  const source = `const parts = {};
export default ({ name }) => <parts.Row>{name}</parts.Row>;`;
  const { diagnostics } = await project.compile(source, { fixtures: { default: { name: "A" } } });
  expect(diagnostics).toMatchObject([
    { message: "`<parts.Row>` is undefined instead of a component.", at: { line: 2 } },
  ]);
});

test("`as` is compiled for each name that a schema allows, and refused without a schema", async () => {
  const own = `const Title = ({ as: Tag = "h1", children }) => <Tag>{children}</Tag>;
export default ({ level }) => <Title as={level}>Hi</Title>;`;
  const packaged = `import { Heading } from "@react-email/components";
export default ({ level }) => <Heading as={level}>Hi</Heading>;`;
  const schema = { type: "object", properties: { level: { type: "string", enum: ["h1", "h2"] } } } as const;
  const fixtures = { default: { level: "h2" } };
  for (const [source, line] of [
    [own, 1],
    [packaged, 2],
  ] as const) {
    const proven = await project.prove(source, { fixtures, schema: { ...schema, required: ["level"] } });
    expect(proven.diagnostics).toEqual([]);
    expect(proven.html).toBe(
      "{{#level__is_h1}}<h1>Hi</h1>{{/level__is_h1}}{{^level__is_h1}}<h2>Hi</h2>{{/level__is_h1}}",
    );
    const optional = await project.prove(source, { fixtures: { ...fixtures, none: {} }, schema });
    expect(optional.diagnostics).toEqual([]);
    const { diagnostics } = await project.compile(source, { fixtures });
    expect(diagnostics).toMatchObject([
      {
        message: expect.stringContaining("takes the name of an element from a variable; level"),
        at: { line },
        hint: expect.stringContaining('z.enum(["h1", "h2"])'),
      },
    ]);
  }
});

test("an absent spread value keeps what was there before", async () => {
  const source = `const Button = ({ label = "Go", href = "https://x.example", tone = "red" }) => <a href={href} style={{ color: tone }}>{label}</a>;
export default ({ button = {}, link }) => <div><Button {...button} /><p title="x" {...link} lang="en" /></div>;`;
  const examples = [
    { button: { label: "Pay" }, link: { title: "t", id: "i" } },
    { button: {}, link: {} },
    { link: {} },
  ];
  const { html, rules } = await compiled(source, ...examples);
  expect(rules).toEqual([]);
  expect(html).toContain("{{button.label}}");
  expect(html).toContain('<p title="x" lang="en"></p>');
});

test("a replacement may be a function or a variable", async () => {
  const source = component(
    '{T.replace("{name}", () => props.name)}{T.replaceAll("{name}", () => props.nick ?? "you")}{T.replace(/\\{(\\w+)\\}/g, (_, key) => props[key])}{T.replace("{name}", String(props.count))}{T.replace("{name}", props.vip ? "a" : "b")}{T.replace("{name}", props.name)}{T.replace("{name}", `(${props.name})`)}{T.replace("{name}", props.nick ?? "you")}',
    'const T = "Dear {name}, {name}!";',
  );
  const { html, rules } = await compiled(
    source,
    { name: "$&", nick: "$1", count: 2, vip: true },
    { name: "$$", count: 3, vip: false },
  );
  expect(rules).toEqual([]);
  expect(html).toContain("Dear {{name}}, {name}!");
});

test("a text that becomes a tag is reported if no fixture has its variable", async () => {
  const source = `export default function Email({ user }) {
  return <p title="{{Other.name}}">{user.name} {"{{name}}"} {"{{#Items}}{{.}}{{/Items}}"}</p>;
}`;
  const fixtures = { default: { user: { name: "A" } } };
  const { diagnostics } = await project.compile(source, { fixtures });
  expect(diagnostics).toMatchObject([
    { rule: "react-literal-tag", severity: "warning", at: { line: 2, column: 20 } },
    {
      message: `The text {{#Items}} becomes a Mustache tag, but neither a fixture nor the type of the props has "Items".`,
      at: { line: 2, column: 63 },
    },
  ]);
  const preview = await project.compile(
    `${source}\nEmail.PreviewProps = { user: { name: "A" }, Other: {}, Items: [] };`,
  );
  expect(preview.diagnostics).toEqual([]);
});

test("an element's name may be made from a variable whose values a schema lists", async () => {
  const source = "export default ({ level }) => { const Tag = `h${level}`; return <Tag>Hi</Tag>; };";
  for (const level of [z.enum(["1", "2"]), z.union([z.literal(1), z.literal(2)])]) {
    const schema = z.toJSONSchema(z.object({ level }));
    const fixtures = { default: { level: level.parse(level instanceof z.ZodEnum ? "2" : 2) } };
    const { diagnostics, html } = await project.prove(source, { fixtures, schema: schema as VariablesSchema });
    expect(diagnostics).toEqual([]);
    expect(html).toBe("{{#level__is_1}}<h1>Hi</h1>{{/level__is_1}}{{^level__is_1}}<h2>Hi</h2>{{/level__is_1}}");
  }
  const { diagnostics } = await project.compile(source, { fixtures: { default: { level: "1" } } });
  expect(diagnostics).toMatchObject([
    { message: expect.stringContaining("takes the name of an element from a variable; level"), at: { line: 1 } },
  ]);
});
