import { describe, expect, test } from "vitest";
import { fill } from "../../../src/mustache/fill.js";
import { completeVariables } from "../../../src/mustache/complete.js";
import type { Variables } from "../../../src/mustache/variables.js";
import type { CompileResult } from "../../../src/project/template.js";
import { compiledOf, type Files, places, useProjects } from "../project.js";

const projects = useProjects();

interface Options {
  readonly fixture: Variables;
  /** A zod object as source code. */
  readonly schema?: string;
}

function compile(markup: string, { fixture, schema }: Options): Promise<CompileResult> {
  const files: Files = {
    "x/x.tsx": `export default function Email(props: any) {\n  return <div>${markup}</div>;\n}\n`,
    "x/fixtures/default.json": JSON.stringify(fixture),
    ...(schema !== undefined && {
      "x/variables.ts": `import { z } from "zod";\nexport default z.object({ ${schema} });\n`,
    }),
  };
  return projects.compileOne(files);
}

function filled(result: CompileResult, variables: Variables): string {
  const compiled = compiledOf(result);
  return fill(compiled, completeVariables(compiled.contract, variables)).html.replace(/^<!DOCTYPE[^>]*>/, "");
}

describe("outer variables of the same name are hidden in items", () => {
  const markup = "{props.items.map((item) => <p>{item.name} {props.title} {item.title}</p>)}";

  test.each<[string, Options]>([
    ["if no fixture has an item", { fixture: { title: "Out", items: [] } }],
    ["if no fixture's item has it", { fixture: { title: "Out", items: [{ name: "A" }] } }],
    [
      "if the schema leaves the items open",
      { fixture: { title: "Out", items: [] }, schema: "title: z.string(), items: z.array(z.any())" },
    ],
    [
      "if the items are records",
      {
        fixture: { title: "Out", items: [] },
        schema: "title: z.string(), items: z.array(z.record(z.string(), z.string()))",
      },
    ],
  ])("%s", async (_name, options) => {
    const result = await compile(markup, options);
    expect(filled(result, { title: "Out", items: [{ name: "A" }, { name: "B", title: "In" }] })).toBe(
      "<div><p>A Out </p><p>B Out In</p></div>",
    );
  });

  test("if only an item uses the name", async () => {
    const asking = "<h1>{props.title}</h1>{props.items.map((item) => <p>{item.title ? 'yes' : 'no'}</p>)}";
    const result = await compile(asking, { fixture: { title: "Out", items: [] } });
    expect(filled(result, { title: "Out", items: [{}] })).toBe("<div><h1>Out</h1><p>no</p></div>");
  });

  test("if an item is null", async () => {
    const nullable = "<h1>{props.title}</h1>{props.items.map((item) => <p>{item?.title}</p>)}";
    const schema = "title: z.string(), items: z.array(z.object({ title: z.string() }).nullable())";
    const result = await compile(nullable, { fixture: { title: "Out", items: [{ title: "In" }] }, schema });
    expect(filled(result, { title: "Out", items: [null, { title: "In" }] })).toBe(
      "<div><h1>Out</h1><p></p><p>In</p></div>",
    );
  });

  test("and a schema without the name is reported", async () => {
    const schema = "title: z.string(), items: z.array(z.object({ titel: z.string() }))";
    const result = await compile("\n{props.items.map((item) => <p>{item.title}</p>)}", {
      fixture: { title: "Out", items: [{ titel: "In" }] },
      schema,
    });
    expect(places(result)).toEqual(["unknown-variable x.tsx:3:32"]);
    expect(result.diagnostics).toMatchObject([
      { message: 'An item of "items" has no "title".', hint: 'Did you mean "titel"?' },
    ]);
  });
});

test("a member of the variables is found if an item has another object of that name", async () => {
  const markup = "{props.items.map((item) => <p>{item.user?.name} {props.user?.email}</p>)}";
  const schema =
    "user: z.object({ email: z.string() }).optional(), items: z.array(z.object({ user: z.object({ name: z.string() }).optional() }))";
  const fixture = { user: { email: "a@b.example" }, items: [{ user: { name: "Ann" } }] };
  const result = await compile(markup, { fixture, schema });
  expect(places(result)).toEqual([]);
  expect(filled(result, { ...fixture, items: [{}, ...fixture.items] })).toBe(
    "<div><p> a@b.example</p><p>Ann a@b.example</p></div>",
  );
});

test("a variable that every fixture has and that is tested once may still be printed in a string", async () => {
  const markup = "<p>{props.unread ?? 'nil'}</p><p title={`${props.unread} new`}>{`${props.unread} messages`}</p>";
  const result = await compile(markup, { fixture: { unread: 3 } });
  expect(filled(result, { unread: 4 })).toBe('<div><p>4</p><p title="4 new">4 messages</p></div>');
  expect(filled(result, {})).toBe('<div><p>nil</p><p title="undefined new">undefined messages</p></div>');
});

test("a value that is null in every fixture may have any type", async () => {
  const markup = '<p>{"c:" + (props.label ?? "") + "!"}</p><p>{props.label != null && "x"}</p>';
  const result = await compile(markup, { fixture: { label: null } });
  expect(filled(result, { label: "L" })).toBe("<div><p>c:L!</p><p>x</p></div>");
  expect(filled(result, {})).toBe("<div><p>c:!</p><p></p></div>");
});

test("a condition on the item itself may be inside a condition on something else", async () => {
  const markup = "{props.items.map((item) => <p>{props.vip && item && <b>{item.name}</b>}</p>)}";
  const result = await compile(markup, { fixture: { vip: true, items: [{ name: "A" }, null] } });
  expect(filled(result, { vip: true, items: [null, { name: "B" }] })).toBe("<div><p></p><p><b>B</b></p></div>");
});

test("a subject that is too long is reported at its position, with a hint", async () => {
  const choice = (name: string): string => `\${props.${name} ? "${"a".repeat(90)}" : "${"b".repeat(90)}"}`;
  const result = await projects.compileOne({
    "x/x.tsx": `export const subject = (props: any) => \`${choice("one")}\n${choice("two")}\`;
export default (props: any) => <p>{props.name}</p>;
`,
    "x/fixtures/default.json": '{ "one": true, "two": true, "name": "A" }',
  });
  expect(result.diagnostics).toMatchObject([
    { rule: "too-long", at: { line: expect.any(Number) }, hint: expect.stringContaining("derive (variables.ts)") },
  ]);
});

test.each([
  [
    "a name that a package does not export",
    'import { Gone } from "zod";\nconst gone = Gone;',
    'zod has no export "Gone".',
  ],
  ["a module that throws", "const gone = JSON.parse('{');", /JSON/],
])("%s is not blamed on placeholders", async (_name, before, message) => {
  const result = await projects.compileOne({
    "x/x.tsx": `${before}\nexport default (props: any) => <p>{props.name}{String(gone)}</p>;\n`,
    "x/fixtures/default.json": '{ "name": "A" }',
  });
  expect(result.diagnostics).toMatchObject([{ rule: "react-component", message: expect.stringMatching(message) }]);
  expect(result.diagnostics[0]).not.toHaveProperty("hint");
});

test("names that promises and elements also have are variables if they are known", async () => {
  // oxlint-disable-next-line unicorn/no-thenable
  const step = { then: "a", key: "b" };
  const result = await compile("{props.step.then} {props.step.key}", { fixture: { step } });
  expect(filled(result, { step })).toBe("<div>a b</div>");
});

test("a name with two underscores that isn't a condition is ordinary", async () => {
  const result = await compile("{props.first__name} {props.items.map((item) => item.sku__no)}", {
    fixture: { first__name: "Ada", items: [{ sku__no: 7 }] },
  });
  expect(filled(result, { first__name: "Eve", items: [{ sku__no: 8 }] })).toBe("<div>Eve 8</div>");
});

test.each([
  ['props.step["first name"]', "a name can't contain spaces"],
  ['props.step["0"]', "not every engine supports list items by number"],
  ['props.step["a.b"]', "a dot would separate two names"],
  ["props.step.status__is_open", "such names with two underscores are reserved for compiled conditions"],
])("a name that a tag can't use is refused where it is written: %s", async (source, why) => {
  const fixture = { step: { "first name": "a", 0: "b", "a.b": "c", status__is_open: "d" } };
  const result = await compile(`\n<p>{${source}}</p>`, { fixture });
  expect(places(result)).toEqual(["react-unsupported x.tsx:3:5"]);
  expect(result.diagnostics[0]?.message).toContain(why);
});

test("braces that aren't a tag are reported where the component writes them", async () => {
  const result = await compile('\n<p>{"{{ is open"}</p>', { fixture: {} });
  expect(new Set(places(result))).toEqual(new Set(["output-residue x.tsx:3:6"]));
});

test("a variable without an example is the component's, also if it is printed in a loop", async () => {
  const markup = "{props.items.map((i) => <p>{i.name}{i.title}{props.city}{props.name}</p>)}";
  const result = await compile(markup, { fixture: { items: [{ name: "A" }] } });
  const { properties = {} } = compiledOf(result).contract.input;
  expect(Object.keys(properties).sort()).toEqual(["city", "items", "name"]);
  expect(properties["name"]).toMatchObject({ type: "string" });
  expect(filled(result, { items: [{ name: "A" }], city: "Bern", name: "N" })).toBe("<div><p>ABernN</p></div>");
});
