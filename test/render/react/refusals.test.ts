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

/** The hint if `derive` can compute it. */
const derives = (used: string): string =>
  `Write \`${used}\` here, and compute it in derive. The error about derive contains the code.`;

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
    "{props.tags.filter(Boolean).map((tag) => <i>{tag}</i>)}",
    "props.tags.filter(Boolean)",
    "calls .filter() on a variable",
    derives("props.tagsList"),
  ],
  [
    "{props.items.flatMap(({ name }) => [name, 'x']).map((each) => <i>{each}</i>)}",
    "props.items.flatMap(({ name }) => [name, 'x'])",
    "calls .flatMap() on a variable",
    derives("props.itemsList"),
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
    "{props.order.total.toFixed(2)}",
    "props.order.total.toFixed(2)",
    "calls .toFixed() on a variable",
    derives("props.orderTotalText"),
  ],
  [
    "{props.name.toUpperCase()}",
    "props.name.toUpperCase()",
    "calls .toUpperCase() on a variable",
    derives("props.nameText"),
  ],
  ["{props.name.split(' ')[0]}", "props.name.split(' ')", "calls .split() on a variable"],
  [
    "{props.items.filter((item) => item.gift).map((item) => item.name)}",
    "props.items.filter((item) => item.gift)",
    "calls .filter() on a variable",
  ],
  [
    "{props.items.reduce((sum, item) => sum + item.price, 0)}",
    "props.items.reduce((sum, item) => sum + item.price, 0)",
    "calls .reduce() on a variable",
  ],
  ["{props.tags.toSorted()}", "props.tags.toSorted()", "calls .toSorted() on a variable"],
  [
    "{props.items.find((item) => item.gift)?.name}",
    "props.items.find((item) => item.gift)",
    "calls .find() on a variable",
  ],
  [
    "{props.items.some((item) => item.gift && item.price === 4) && <b />}",
    "props.items.some((item) => item.gift && item.price === 4)",
    "tests two conditions at once on the items of a list",
  ],
  ["{props.count * 2}", "props.count * 2", "is arithmetic", derives("props.countValue")],
  ["{props.count + 1}", "props.count + 1", "adds to a variable that may be a number"],
  ["{-props.count}", "-props.count", "is arithmetic"],
  [
    "{props.status > 1 ? 'many' : 'one'}",
    "props.status > 1",
    "compares a string with a number, so JavaScript converts it",
  ],
  ["{props.name < 'm' && <b />}", "props.name < 'm'", "compares the size of something that is not a number"],
  ["{props.count > props.order.total && <b />}", "props.count > props.order.total", "compares two variables"],
  [
    "{props.never > 3 && <b />}",
    "props.never > 3",
    "compares sizes, but no fixture shows whether this is a number",
    "Add a fixture in which it has a value.",
  ],
  [
    "{`${props.never.slice(0, 1)}.`}",
    "`${props.never.slice(0, 1)}.`",
    "takes a part of a variable, but no fixture shows whether it is a string or a list",
    "Add a fixture in which it has a value.",
  ],
  [
    "{props.name === props.status && <b />}",
    "props.name === props.status",
    "compares two variables",
    derives("props.nameFlag"),
  ],
  ["{props.items.length - 1}", "props.items.length - 1", "is arithmetic"],
  ["{props.items.length * 2}", "props.items.length * 2", "is arithmetic"],
  [
    "{props.name.first}",
    "props.name.first",
    'reads ".first" of a string',
    "According to variables.ts or the fixtures, it is a string, which has no members to print. Print it as a whole, or make it an object there.",
  ],
  ["{props.items.map((item) => <p title={item.price.net} />)}", "item.price.net", 'reads ".net" of a number'],
  ["{[...props.tags].sort()}", "[...props.tags].sort()", "calls .sort() on a variable"],
  [
    "{props.items.map((item, i) => <p>{props.items[i - 1]?.name}</p>)}",
    "props.items[i - 1]",
    "reads an item of a list by a computed index",
    "In derive (variables.ts), copy what you need from another item into each item.",
  ],
  ["{props.name[0]}", "props.name[0]", "reads a character or an item by its index"],
  ["{props.items.map((item, index) => <p className={index % 2 ? 'odd' : 'even'} />)}", "index % 2", "is arithmetic"],
  [
    "{props.items.map((item, index) => <p>{index + 1}. {item.name}</p>)}",
    "index + 1",
    "prints an item's position, which Mustache doesn't know",
    derives("item.itemNumber"),
  ],
  [
    "{props.items.map((item) => <p>{item.price.toFixed(2)}</p>)}",
    "item.price.toFixed(2)",
    "calls .toFixed() on a variable",
    derives("item.priceText"),
  ],
  ["{money.format(props.count)}", "money.format(props.count)", "passes a variable to format(), which computes with it"],
  [
    "{((Price) => <Price of={props.count} />)(({ of }) => <b>{money.format(of)}</b>)}",
    "money.format(of)",
    "passes a variable to format(), which computes with it",
  ],
  [
    "{new Date(props.name).toLocaleDateString('en')}",
    "new Date(props.name).toLocaleDateString('en')",
    "calls .toLocaleDateString() on a variable",
  ],
  [
    "{new Intl.NumberFormat('en', { currency: props.name }).format(3)}",
    "new Intl.NumberFormat('en', { currency: props.name }).format(3)",
    "calls .format() on a variable",
  ],
  ["{Number(props.name)}", "Number(props.name)", "passes a variable to Number(), which computes with it"],
  [
    "{JSON.stringify(props.order)}",
    "JSON.stringify(props.order)",
    "passes a variable to stringify(), which computes with it",
  ],
  [
    "{Object.keys(props.order).length}",
    "Object.keys(props.order)",
    "passes a variable to keys(), which computes with it",
  ],
  ["{'number' in props.order && <b />}", "'number' in props.order", "tests the type of a variable"],
  ["{/^a/.test(props.name) && <b />}", "/^a/.test(props.name)", "passes a variable to test(), which computes with it"],
  [
    "{(() => { const rows = []; for (const item of props.items) { if (item.gift) break; rows.push(<p>{item.name}</p>); } return rows; })()}",
    "props.items",
    "iterates a list item by item",
    "A section always contains all items of a list. Take the first ones with .slice, or filter the list in derive (variables.ts), and use .map.",
  ],
  [
    "{(() => { let sum = 0; for (const { price } of props.items) sum += price; return sum; })()}",
    "props.items",
    "iterates a list item by item",
    "Compute values that carry over from one item to the next in derive (variables.ts), and print the items with .map.",
  ],
  [
    "{(() => { const a = [], b = []; for (const item of props.items) { a.push(item.name); b.push(item.price); } return b; })()}",
    "props.items",
    "iterates a list item by item",
    "Use .map, and print the result. A loop with .push is supported, too, if it does nothing else and adds to a single list.",
  ],
  [
    "{(() => { const rows = []; for (let i = 0; i < props.items.length; i++) rows.push(props.items[i].name); return rows; })()}",
    "i < props.items.length",
    "decides how often a loop runs",
    "Iterate the list itself: items.map((item, index) => …).",
  ],
  [
    "{(() => { const rows = []; for (const item of props.items) if (item.gift) rows.push(item.name); return rows.length > 1; })()}",
    "rows.length > 1",
    "counts rows made from a list",
    "Test with .some(…) whether there are any, or count them in derive (variables.ts).",
  ],
  [
    "{(() => { const rows = []; for (const item of props.items) if (item.gift && item.price > 4) rows.push(item.name); return rows.length > 0; })()}",
    "rows.length",
    "tests two conditions at once on the items of a list",
    "Compute in derive (variables.ts) whether there are any, and test that.",
  ],
  [
    "{((a, b) => b)(...props.tags)}",
    "props.tags",
    "iterates a list item by item",
    "Use a separate .map for each list, one after the other, or combine the lists in derive (variables.ts): [...variables.a, ...variables.b].",
  ],
  [
    "{[...props.items, ...props.items].map((item, i) => <p>{i > 1 && item.name}</p>)}",
    "i > 1 && item.name",
    "continues counting from one list to the next",
  ],
  [
    "{[...props.tags, 'x'].join()}",
    "[...props.tags, 'x'].join()",
    "calls .join() on a list that contains a variable's items",
  ],
  [
    "{['x'].concat(props.others)}",
    "['x'].concat(props.others)",
    "appends a value that may be a list or missing to a list",
  ],
  [
    "{[...props.items, props.order].at(0).name}",
    "[...props.items, props.order].at(0)",
    "calls .at() on a list that contains",
  ],
  ["{(([first]) => first.name)([...props.items, { name: 'x' }])}", "[first]", "destructures a list"],
  [
    "{Array.from({ length: props.count }, (_, at) => <b key={at} />)}",
    "Array.from({ length: props.count }, (_, at) => <b key={at} />)",
    "creates a list whose length is a variable",
  ],
  [
    "{(() => { const rows = []; for (const item of props.items) rows.push(item.name); for (const tag of props.tags) rows.push(tag); return rows.length; })()}",
    "rows.length",
    "counts rows added by more than one loop",
  ],
  [
    "{(() => { const rows = []; for (const item of props.items) rows.push(item.name); return rows.reverse(); })()}",
    "rows.reverse()",
    "calls .reverse() on a list that contains a variable's items",
  ],
  [
    "{(() => { const rows = []; const add = (what) => { if (what) rows.push(what); }; add(props.name); return rows; })()}",
    "what",
    "decides which code runs, in a function that can't run once for each case",
  ],
  [
    "{(() => { const rows = []; props.items.map((item) => rows.push(<p>{item.name}</p>)); return rows; })()}",
    "rows.push(<p>{item.name}</p>)",
    "changes a value that the iteration for the next item uses",
  ],
  [
    "{(() => { const [first, ...rest] = props.items.map((item) => item.name); return rest; })()}",
    "props.items.map((item) => item.name)",
    "destructures a list that is only known when an email is filled",
  ],
  [
    "{(() => { const [first, ...rest] = props.items; return <p>{rest.length}</p>; })()}",
    "rest.length",
    "prints the length of a part of a list",
    derives("props.itemsValue"),
  ],
  [
    "{props.order.total.toLocaleString('de')}",
    "props.order.total.toLocaleString('de')",
    "calls .toLocaleString() on a variable",
    derives("props.orderTotalText"),
  ],
  [
    "{props.order.hasOwnProperty('memo') && 'x'}",
    "props.order.hasOwnProperty('memo')",
    "calls .hasOwnProperty() on a variable",
  ],
  [
    "{Math.max(...props.items.map((item) => item.price))}",
    "Math.max(...props.items.map((item) => item.price))",
    "passes a variable to max(), which computes with it",
    derives("props.itemsValue"),
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
    "Turn it into a list in derive (variables.ts): Object.entries(labels).map(([key, value]) => ({ key, value })), and use .map.",
  ],
  [
    "{(() => { const date = new Date(props.name); date.setDate(1); return date.toISOString(); })()}",
    "date.setDate(1)",
    "calls .setDate() on a variable",
  ],
  [
    "{(() => { props.tags.sort(); return props.tags.map((tag) => <b>{tag}</b>); })()}",
    "props.tags.sort()",
    "calls .sort() on a variable",
    "Use the method's result, const sorted = [...list].sort(…), and leave the list unchanged.",
  ],
  [
    "{(() => { const long = props.tags.filter((tag) => tag.length > 3); long.reverse(); return long.map((tag) => <b>{tag}</b>); })()}",
    "props.tags.filter((tag) => tag.length > 3)",
    "is changed after it was computed",
    "Use the method's result, const sorted = [...list].sort(…), and leave the list unchanged.",
  ],
  [
    "{(() => { const seen = []; props.items.filter((item) => seen.push(item.name)); return seen; })()}",
    "props.items.filter((item) => seen.push(item.name))",
    "is used outside the function that a list's method calls with it",
  ],
  [
    "{`${new Date(props.name)}`}",
    "new Date(props.name)",
    "passes a variable to Date(), which computes with it",
    "Compute the printed string in derive (variables.ts), and use that here.",
  ],
  ["{props.items.slice(0, 2).at(-1).name}", "props.items.slice(0, 2).at(-1)", "reads an item by its index"],
  [
    "{[...props.items].pop().name}",
    "[...props.items].pop()",
    "calls .pop() on a variable",
    "Use .at(-1) for the last item, and .slice(0, -1) for the others.",
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
  [
    "{(() => { try { return props.count.toFixed(2); } catch { return 'x'; } })()}",
    "props.count.toFixed(2)",
    "calls .toFixed() on a variable",
  ],
  [
    "{`Hi ${props.nothing}`}",
    "`Hi ${props.nothing}`",
    'prints the word "undefined" if it is absent, and "null" if it is null',
    'Provide a fallback: `${name ?? ""}`.',
  ],
  ["{props.order}", "props.order", "prints an object", "Print one of its members."],
  [
    "<p style={{ width: props.count }} />",
    "<p style={{ width: props.count }} />",
    'sets the style "width" to a number without a unit',
    "Write the unit with it: `${width}px`.",
  ],
  [
    "<p style={{ width: props.items.length }} />",
    "<p style={{ width: props.items.length }} />",
    'sets the style "width" to a number without a unit',
  ],
  [
    "{props.items.map((item) => props.items.map(() => <b>{`${item.name}`}</b>))}",
    "props.items.map((item) => props.items.map(() => <b>{`${item.name}`}</b>))",
    "is used where items is iterated inside itself, so that one item hides the other",
    "In derive (variables.ts), copy what you need from the outer item to the items of the inner list.",
  ],
  [
    "{props.items.map((item) => props.items.map((other) => <b>{other.name}{item.name}</b>))}",
    "item.name",
    "is used where items is iterated inside itself, so that one item hides the other",
    "In derive (variables.ts), copy what you need from the outer item to the items of the inner list.",
  ],
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
    await project.add("templates/_shared/money.tsx", "export const Money = ({ of }) => <b>{of.toFixed(2)}</b>;\n");
    const { diagnostics } = await project.compile(
      component("<Money of={props.count} />\n{props.name.trim()}", 'import { Money } from "./_shared/money";'),
      { fixtures: FIXTURES },
    );
    expect(
      diagnostics.map(({ at, message }) => [at?.file?.endsWith("money.tsx"), at?.line, at?.column, message]),
    ).toEqual([
      [false, 4, 2, "`props.name.trim()` calls .trim() on a variable; name is only known when an email is filled."],
      [true, 1, 38, "`of.toFixed(2)` calls .toFixed() on a variable; count is only known when an email is filled."],
      [false, undefined, undefined, "This template's computed values must come from derive: nameText, countText."],
    ]);
  });
});

test("a refusal in a shared function names the variable, and the lines of the call and of the function", async () => {
  await project.add(
    "templates/_shared/stars.ts",
    `export function stars(most) {\n  let text = "";\n  for (let i = 0; i < most; i += 1) text += "*";\n  return text;\n}\n`,
  );
  await project.add(
    "templates/_shared/price.ts",
    "const two = (n) => n.toFixed(2);\nexport const price = (n) => two(n / 100);\n",
  );
  const { diagnostics } = await project.compile(
    component(
      "{props.name}\n{stars(props.count)}\n{price(props.order.total)}",
      'import { price } from "./_shared/price";\nimport { stars } from "./_shared/stars";',
    ),
    { fixtures: FIXTURES },
  );
  expect(diagnostics.slice(0, 2).map(({ at, message }) => [at?.line, message])).toEqual([
    [
      5,
      "`stars(props.count)` runs `i < most`, which decides how often a loop runs (in _shared/stars.ts:3); count is only known when an email is filled.",
    ],
    [
      6,
      "`price(props.order.total)` calls .toFixed() on a variable (in _shared/price.ts:1); order.total is only known when an email is filled.",
    ],
  ]);
});

test("a computation with a variable that may be absent is refused once, as a computation", async () => {
  const source = component('{props.nick ? `– ${props.nick.toUpperCase()}` : ""}');
  const { diagnostics } = await project.compile(source, { fixtures: { with: { nick: "a" }, without: {} } });
  const problems = diagnostics.filter(({ message }) => !message.startsWith("This template's computed values"));
  expect(problems).toMatchObject([{ message: expect.stringContaining("calls .toUpperCase() on a variable") }]);
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
      "PreviewProps.steps[0].text is a React element: variables are JSON.",
    );
  });
});
