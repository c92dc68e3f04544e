import { describe, expect, test } from "vitest";
import type { Template } from "../../../src/project/template.js";
import { component, Project } from "./project.js";

const project = await Project.make();

const FIXTURES = {
  full: {
    name: "Ann",
    note: "Hi",
    vip: true,
    count: 3,
    status: "paid",
    tags: ["a"],
    either: null,
    nick: null,
    order: { number: "A1", total: 9.5 },
    items: [{ name: "Tea", price: 4, gift: false }],
  },
  other: {
    name: "Cy",
    either: 4,
    nick: "C",
    vip: true,
    count: 1,
    status: "open",
    tags: [],
    order: { number: "A3", total: 1 },
    items: [],
  },
  bare: { name: "Bo", vip: false, count: 0, status: "open", tags: [], order: { number: "A2", total: 0 }, items: [] },
};

const BEFORE = `import { marked } from "marked";
import { createContext, useContext } from "react";
const Counter = createContext({ n: 0 });
function Tick() { const counter = useContext(Counter); return <b>{(counter.n += 1)}</b>; }
const money = new Intl.NumberFormat("en", { style: "currency", currency: "EUR" });
let calls = 0;`;

/** The code, the part that is refused, the reason, and the code for derive. */
const REFUSED: readonly (readonly [markup: string, source: string, problem: string, hint?: string])[] = [
  [
    "<select defaultValue={props.status}><option>paid</option></select>",
    "<select defaultValue={props.status}>",
    "selects an option based on a variable",
    'Set it on each option: `<option value="m" selected={size === "m"}>`.',
  ],
  [
    "{(() => { const style = { margin: 0 }; Object.assign(style, props.vip && { padding: 0 }); return <p style={style} />; })()}",
    "Object.assign(style, props.vip && { padding: 0 })",
    "assigns members to an object depending on a variable",
    "Create a new object from both: `{ ...a, ...b }`.",
  ],
  [
    "{((next) => props.items.find(next)?.name)(function next() { return { next }; })}",
    "props.items.find(next)",
    "calls .find() on a variable",
  ],
  [
    "{props.items.flatMap(({ name }) => [<i>{name}</i>]).map((each) => <b>{each}</b>)}",
    "props.items.flatMap(({ name }) => [<i>{name}</i>])",
    "calls .flatMap() on a variable",
  ],
  [
    "{import('./' + props.name)}",
    "'./' + props.name",
    "is the path of an import",
    "Import each module by its path, and choose between them.",
  ],
  [
    "{(function Endless() { const Again = () => <Again />; return <Again />; })()}",
    "<Again />",
    "is rendered more than 5000 times",
    "End the recursion by a property, such as a depth counter or a list that gets shorter.",
  ],
  [
    "{`${props.never.slice(0, 1)}.`}",
    "`${props.never.slice(0, 1)}.`",
    "takes a part of a variable, but no fixture shows whether it is a string or a list",
    "Add a fixture in which it has a value.",
  ],
  [
    "{props.name.first}",
    "props.name.first",
    'reads ".first" of a string',
    "According to variables.ts or the fixtures, it is a string, which has no members to print. Print it as a whole, or make it an object there.",
  ],
  ["{props.items.map((item) => <p title={item.price.net} />)}", "item.price.net", 'reads ".net" of a number'],
  [
    "{(() => { const rows = []; for (const item of props.items) { if (item.gift) break; rows.push(<p>{item.name}</p>); } return rows; })()}",
    "props.items",
    "iterates a list item by item",
    "A section always contains all items of a list. Take the first ones with .slice, or the others with .filter, and use .map.",
  ],
  [
    "{(() => { let sum = 0; for (const { price } of props.items) { sum += price; if (sum > 9) break; } return sum; })()}",
    "props.items",
    "iterates a list item by item",
    "A section always contains all items of a list. Take the first ones with .slice, or the others with .filter, and use .map.",
  ],
  [
    "{(() => { let last = null; for (const { name } of props.items) last = <b>{name}</b>; return last; })()}",
    "last = <b>{name}</b>",
    "carries a value from item to item",
  ],
  [
    "{(() => { const sizeOf = (node) => { let sum = node.size; for (const inner of node.nodes) sum += sizeOf(inner); return sum; }; return sizeOf(props.order); })()}",
    "node.nodes",
    "repeats inside itself endlessly, but Mustache has no recursion",
    "In derive (variables.ts), turn the tree into one list, each item with its depth, and iterate that; or write a component for each level that is shown.",
  ],
  [
    "{(() => { let sum = 0; const add = (price) => { sum += price; }; for (const { price } of props.items) { sum += 1; add(price); } return sum; })()}",
    "sum += price",
    "changes a value that the iteration for the next item uses",
  ],
  [
    "{(() => { let sum = 0; const rows = []; for (const { price } of props.items) { sum += price; rows.push(<b>{sum}</b>); } return rows; })()}",
    "props.items",
    "iterates a list item by item",
  ],
  [
    "{(() => { const a = [], b = []; for (const item of props.items) { a.push(<b />); b.push(<i>{item.price}</i>); } return b; })()}",
    "props.items",
    "iterates a list item by item",
    "Use .map, and print the result. A loop with .push is supported, too, if it does nothing else and adds to a single list.",
  ],
  [
    "{(() => { const rows = []; for (let i = 0; i < props.items.length; i += 2) rows.push(props.items[i].name); return rows; })()}",
    "i < props.items.length",
    "decides how often a loop runs",
    "Iterate the list itself: items.map((item, index) => …).",
  ],
  [
    "{((a, b) => b)(...props.tags)}",
    "props.tags",
    "iterates a list item by item",
    "Use a separate .map for each list, one after the other, or combine the lists: [...a, ...b].map(…).",
  ],
  [
    "{['x'].concat(props.others)}",
    "['x'].concat(props.others)",
    "appends a value that may be a list or missing to a list",
  ],
  [
    "{(() => { const rows = []; for (const item of props.items) rows.push(<p>{item.name}</p>); return rows.reverse(); })()}",
    "rows.reverse()",
    "calls .reverse() on a variable",
  ],
  [
    "{(() => { let last; const add = (what) => { if (what) last = what; }; add(props.name); return last; })()}",
    "what",
    "decides which code runs, in a function that can't run once for each case",
  ],
  [
    "{(() => { const rows = []; props.items.map((item) => rows.push(<p>{item.name}</p>)); return rows; })()}",
    "rows.push(<p>{item.name}</p>)",
    "changes a value that the iteration for the next item uses",
  ],
  [
    "{props.items.reduce((rows, item) => [...rows, <b>{item.name}</b>], [])}",
    "props.items.reduce((rows, item) => [...rows, <b>{item.name}</b>], [])",
    "calls .reduce() on a variable",
    "Compute it in derive (variables.ts), and use the result here.",
  ],
  [
    "{(() => { const keys = []; for (const key in props.order) keys.push(key); return keys; })()}",
    "props.order",
    "iterates an object's members",
    "Iterate it as a list: Object.entries(labels).map(([key, value]) => …).",
  ],
  [
    "{(() => { const seen = []; props.items.filter((item) => seen.push(item.name)); return seen; })()}",
    "props.items.filter((item) => seen.push(item.name))",
    "calls .filter() on a variable",
  ],
  [
    "{props.items.pop().name}",
    "props.items.pop()",
    "calls .pop() on a variable",
    "Copy it first, and change the copy: [...list], new Date(date), new Map(map), { ...object }.",
  ],
  [
    "{(() => { let rest = props.count; while (rest > 0) rest -= 1; return rest; })()}",
    "rest > 0",
    "decides how often a loop runs",
  ],
  [
    "{(() => { calls += 1; if (props.vip) return 1; return 2; })()}",
    "props.vip",
    "decides which code runs, in a function that can't run once for each case",
  ],
  ["{props.order}", "props.order", "prints an object", "Print one of its members."],
  [
    "{(() => { let n = 0; return props.items.map((item) => <p>{++n}. {item.name}</p>); })()}",
    "++n",
    "changes a value that the iteration for the next item uses",
    "In derive (variables.ts), add to each item what depends on the items before it.",
  ],
  [
    "{(() => { let n = 0; const on = props.items.some((item) => { n++; return item.gift; }); return on && n; })()}",
    "n++",
    "changes a value that the iteration for the next item uses",
  ],
  [
    "{(() => { const seen = new Set(); return props.items.map((item) => { seen.add(1); return <b>{item.name}</b>; }); })()}",
    "seen.add(1)",
    "changes a value that the iteration for the next item uses",
  ],
  [
    "{(() => { const c = { n: 0 }; return props.items.map((item) => <b>{(c.n = c.n + 1)}{item.name}</b>); })()}",
    "c.n",
    "changes a value that the iteration for the next item uses",
  ],
  [
    "<Counter.Provider value={{ n: 0 }}>{props.items.map((item) => <p>{item.name}<Tick /></p>)}</Counter.Provider>",
    "props.items.map((item) => <p>{item.name}<Tick /></p>)",
    "gives a different result for the next item, because the iteration for the first changed something",
  ],
  [
    "{(() => { const Tag = props.name; return <Tag />; })()}",
    "<Tag />",
    "takes the name of an element from a variable",
  ],
  ["{(() => { props.order.total = 5; return null; })()}", "props.order.total", 'gets a member "total"'],
];

test("the word that JavaScript prints for a missing value is printed, with a warning", async () => {
  const markup =
    "<p>{`Hi ${props.note}`}</p><p>{props.vip && String(props.note)}</p><p>{props.note && `a${props.note}`}</p>";
  const { html, diagnostics } = await project.prove(component(markup), { fixtures: FIXTURES });
  expect(html).toContain(
    "<p>Hi {{#note__is_present}}{{note}}{{/note__is_present}}{{^note__is_present}}undefined{{/note__is_present}}</p>",
  );
  expect(diagnostics.map(({ rule, severity, at }) => [rule, severity, at?.column])).toEqual([
    ["react-undefined", "warning", 19],
    ["react-undefined", "warning", 59],
  ]);
});

describe("what would be decided at compile time is refused where it is written", () => {
  const cases = REFUSED.map(([markup, source, problem, hint]) => ({ markup, source, problem, hint }));
  let templates: Promise<Template[]> | undefined;
  const write = ({ markup }: { markup: string }) => project.template(component(markup, BEFORE), { fixtures: FIXTURES });
  test.each(cases)("$markup", async (refused) => {
    const { markup, source, problem, hint } = refused;
    const text = component(markup, BEFORE);
    templates ??= Promise.all(cases.map(write));
    const together = await templates;
    const template = together.find(({ body }) => body.text === text) ?? (await write(refused));
    const { diagnostics, output } = await project.compileTemplate(template, { together });
    const [first] = diagnostics;
    const { line = 0, column = 0 } = first?.at ?? {};
    expect(first?.message).toContain(`\`${source}\` ${problem}`);
    expect(text.split("\n")[line - 1]?.slice(column - 1)).toMatch(source.slice(0, 5));
    if (hint === undefined) expect(first?.hint).toBeTruthy();
    else expect(first?.hint).toBe(hint);
    expect(first).toMatchObject({ rule: "react-unsupported", severity: "error" });
    expect(output.html).toBe("");
  });

  test("each place is reported once, including in imported modules", async () => {
    await project.add("templates/_shared/money.tsx", "export const Money = ({ of }) => <b>{of.net}</b>;\n");
    const { diagnostics } = await project.compile(
      component("<Money of={props.count} />\n{props.name.first}", 'import { Money } from "./_shared/money";'),
      { fixtures: FIXTURES },
    );
    expect(
      diagnostics.map(({ at, message }) => [at?.file?.endsWith("money.tsx"), at?.line, at?.column, message]),
    ).toEqual([
      [false, 4, 2, '`props.name.first` reads ".first" of a string; name is only known when an email is filled.'],
      [true, 1, 38, '`of.net` reads ".net" of a number; count is only known when an email is filled.'],
    ]);
  });
});

test("a refusal in a shared function names the variable, and the lines of the call and of the function", async () => {
  await project.add(
    "templates/_shared/stars.ts",
    `export function stars(most) {\n  let text = "";\n  while (text.length < most) text += "*";\n  return text;\n}\n`,
  );
  const { diagnostics } = await project.compile(
    component("{props.name}\n{stars(props.count)}", 'import { stars } from "./_shared/stars";'),
    { fixtures: FIXTURES },
  );
  expect(diagnostics.map(({ at, message }) => [at?.line, message])).toEqual([
    [
      4,
      "`stars(props.count)` runs `text.length < most`, which decides how often a loop runs (in _shared/stars.ts:3); count is only known when an email is filled.",
    ],
  ]);
});

describe("members that a type doesn't name are never lost", () => {
  const text = { type: "string" } as const;
  const labels = { type: "object", additionalProperties: text } as const;
  const schema = { type: "object", properties: { name: text, labels }, additionalProperties: text } as const;

  test.each([
    ["const { name, ...others } = props; const markup = <p>{Object.keys(others).join()}</p>;", /is enumerated/],
    ["const markup = <p {...props.labels}>a</p>;", /is spread into properties/],
    ["const Line = ({ name }) => <p>{name}</p>; const markup = <Line {...props} />;", /is spread into properties/],
  ])("%s", async (code, problem) => {
    const source = `export default function Email(props) { ${code} return <html><body>{markup}</body></html>; }`;
    const fixtures = { one: { name: "Ann", labels: { id: "a" }, more: "x" } };
    const { diagnostics } = await project.compile(source, { fixtures, schema });
    expect(diagnostics).toMatchObject([{ rule: "react-unsupported", severity: "error" }]);
    expect(diagnostics[0]?.message).toMatch(problem);
  });
});

describe("a component that can't be rendered", () => {
  test("throws: reported with the position in its source", async () => {
    const { diagnostics } = await project.compile(component("{null.x}"), { fixtures: FIXTURES });
    expect(diagnostics).toMatchObject([{ rule: "react-component", at: { line: 3 } }]);
    expect(diagnostics[0]?.message).toMatch("Cannot read properties of null");
  });

  test("uses an undefined name: not blamed on placeholders", async () => {
    const { diagnostics } = await project.compile(component("{nmae}"), { fixtures: FIXTURES });
    expect(diagnostics).toMatchObject([
      { message: "ReferenceError: nmae is not defined", at: { line: 3 }, hint: expect.stringContaining("Import it") },
    ]);
  });

  test("lacks modules, or uses a module's export too early", async () => {
    await project.add("templates/_cycle/a.ts", `import { b } from "./b";\nexport const a = b + 1;`);
    await project.add("templates/_cycle/b.ts", `import { a } from "./a";\nexport const b = a + 1;`);
    const cyclic = await project.compile(component("{a}", `import { a } from "./_cycle/a";`));
    expect(cyclic.diagnostics).toMatchObject([
      {
        message: "ReferenceError: Cannot access 'a' before initialization",
        at: { line: 2 },
        hint: expect.stringContaining("If two modules import each other"),
      },
    ]);
    const missing = await project.compile(component("{a}{b}", `import { a } from "./x";\nimport { b } from "./y";`));
    expect(missing.diagnostics).toMatchObject([
      { message: `"./x" can't be found.`, at: { line: 1 } },
      { message: `"./y" can't be found.`, at: { line: 2 } },
    ]);
  });

  test.each([
    ["<p>\n Hello {{name}},</p>", 4, 8, "Write {name}."],
    ["<div style={{ margin: 0 }}><b>{{ name }}</b></div>", 3, 45, "Write { name }."],
    ['<p style="margin: 0">Hi</p>', 3, 18, "Write an object"],
  ])("is rejected by React: %s", async (markup, line, column, hint) => {
    const source = component(markup).replace("props", "{ name }");
    const { diagnostics } = await project.compile(source, { fixtures: { full: { name: "Ada" } } });
    expect(diagnostics).toMatchObject([
      { rule: "react-component", at: { line, column }, hint: expect.stringContaining(hint) },
    ]);
  });

  test("has a syntax error", async () => {
    const { diagnostics } = await project.compile("export default function Email(props) {\n  return <p>;\n}\n");
    expect(diagnostics).toMatchObject([{ severity: "error", at: { line: 3 } }]);
  });

  test("is missing", async () => {
    const { diagnostics } = await project.compile("export const Email = () => <p />;\n");
    expect(diagnostics).toMatchObject([
      { rule: "react-component", message: "The file has no component as its default export." },
    ]);
  });

  test("contains a character that is reserved for tokens", async () => {
    const { diagnostics } = await project.compile(component("\uE001"));
    expect(diagnostics).toMatchObject([{ rule: "mustache-syntax", at: { line: 3, column: 15 } }]);
  });

  test.each([
    [
      "nothing at all",
      "if (!props.name) return null;",
      "{props.note}",
      ["`!props.name` decides whether there is an email at all"],
    ],
    ["an empty body, which is a valid email", "", "{props.name && <p>{props.name}</p>}", []],
  ])("returns %s if a variable is absent", async (_, before, inBody, messages) => {
    const { diagnostics } = await project.compile(
      `export default function Email(props) {\n  ${before}\n  return <html lang="en"><head><title>Hi</title></head><body>${inBody}</body></html>;\n}\n`,
      { fixtures: { full: { name: "Ada", note: "Hi" }, other: { name: "Bo", note: "Yo" } } },
    );
    expect(diagnostics.map(({ message }) => message)).toEqual(messages.map((each) => expect.stringContaining(each)));
  });

  test("returns nothing because of an operator: reported at the operator", async () => {
    const { diagnostics } = await project.compile(
      "export default function Email(props) {\n  return props.vip && (\n    <html><body>{props.name}</body></html>\n  );\n}\n",
      { fixtures: FIXTURES },
    );
    expect(diagnostics).toMatchObject([
      { message: expect.stringMatching(/^`props\.vip && .* decides whether there is an email/), at: { line: 2 } },
    ]);
  });

  test("is a class with defaultProps", async () => {
    const source = `import { Component } from "react";
export default class Email extends Component { static defaultProps = { note: "none" }; render() { return this.props.note; } }`;
    const { diagnostics } = await project.compile(source, { fixtures: FIXTURES });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "The component is a class with defaultProps, which React applies before the component sees that a variable is absent.",
    ]);
    expect(diagnostics[0]?.hint).toContain("this.props");
  });

  test("has PreviewProps that are not valid variables", async () => {
    const { diagnostics } = await project.compile(
      `${component("{props.steps}")}\nEmail.PreviewProps = { steps: [{ text: <b>x</b> }] };\n`,
    );
    expect(diagnostics.map(({ message }) => message)).toContain(
      "PreviewProps.steps[0].text is a React element: variables are JSON, dates and bigints.",
    );
  });
});
