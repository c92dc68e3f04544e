import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Variables } from "../../../src/mustache/variables.js";
import { component, Project } from "./project.js";

const project = await Project.make();

async function addPackage(name: string, code: string): Promise<void> {
  await project.add(`node_modules/${name}/package.json`, `{ "name": "${name}", "type": "module", "main": "index.js" }`);
  await project.add(`node_modules/${name}/index.js`, `import { createElement as h } from "react";\n${code}`);
}

await addPackage(
  "tools",
  `export const plural = (word, count, inclusive) => (inclusive ? count + " " : "") + (count === 1 ? word : word + "s");
  export const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
  export const truncate = (text, { length }) => (text.length > length ? text.slice(0, length - 1) + "…" : text);
  export const slug = (text) => text.trim().replace(/[^a-z0-9]+/gi, "-");
  export const initials = (text) => text.split(" ").map((word) => word[0]).join("");
  export const quote = (text) => JSON.stringify(text).slice(1, -1);
  export const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  export const code = (text) => (text.charCodeAt(0) < 97 ? "A" : "a");
  export const round = (value) => (typeof value === "number" ? value.toFixed(1) : String(value));
  export const money = (value) => new Intl.NumberFormat("en-US").format(value);
  export const day = (date) => { const parsed = new Date(date); if (Number.isNaN(parsed.getTime())) throw new RangeError("Invalid date"); return String(parsed.getDate()); };
  export const price = (value) => ({ value: typeof value === "number" ? value : 0, format() { return "$" + this.value; } });
  export const isEmpty = (list) => !list || list.length === 0;
  const cache = new Map();
  export const cached = (text) => { if (!cache.has(text)) cache.set(text, text === "x" ? "y" : text); return cache.get(text); };
  export const tone = (name) => (name === "red" ? "#f00" : name);
  export const same = (value) => value;
  export const greet = (key, { name }) => key + ", " + name + "!";
  export const classes = (...given) => given.flat(9).flatMap((each) => {
    if (!each) return [];
    if (typeof each === "string") return [each];
    return typeof each === "object" ? Object.keys(each).filter((name) => each[name]) : [];
  }).join(" ");
  export default { capitalize, plural };`,
);

const WORDS = [
  "",
  "a",
  "Ann",
  "anna lee",
  "  x ",
  "<b>&amp;</b>",
  "**b**",
  "UPPER",
  "p-4",
  "1",
  "x",
  "red",
  "é ".repeat(99),
];

/** Values like that of an example, which may be absent where another example lacks them. */
function randomLike(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value === "boolean") return fc.boolean();
  if (typeof value === "number")
    return fc.oneof(fc.integer({ min: -3, max: 30 }), fc.constantFrom(0, 1, 2, 0.5, 12345.67));
  if (typeof value === "string") return fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 12 }));
  if (Array.isArray(value)) return fc.array(randomLike(value[0]), { maxLength: 4 });
  return randomMembers(value as Variables);
}

function randomMembers(value: Variables, optional: readonly string[] = []): fc.Arbitrary<Variables> {
  const members = Object.entries(value).map(([name, each]) => [name, randomLike(each)]);
  const requiredKeys = Object.keys(value).filter((name) => !optional.includes(name));
  return fc.record(Object.fromEntries(members), { requiredKeys });
}

function randomVariables(first: Variables, ...others: readonly Variables[]): Variables[] {
  const all = Object.assign({}, first, ...others) as Variables;
  const optional = Object.keys(all).filter((name) => [first, ...others].some((each) => !(name in each)));
  return fc.sample(randomMembers(all, optional), { numRuns: 60, seed: 22 });
}

const IMPORT = `import tools, * as all from "tools";
import { cached, capitalize, classes, code, day, escape, greet, initials, isEmpty, money, plural, price, quote, round, same, slug, tone, truncate } from "tools";`;

describe("what a package's function gives is right for every value", () => {
  test.each<[markup: string, html: string, ...fixtures: Variables[]]>([
    ["{plural('item', props.n, true)}", "{{#n__is_1}}1 item{{/n__is_1}}{{^n__is_1}}{{n}} items{{/n__is_1}}", { n: 2 }],
    ["{tools.plural('item', props.n)}", "{{#n__is_1}}item{{/n__is_1}}{{^n__is_1}}items{{/n__is_1}}", { n: 1 }],
    [
      "{plural('item', props.list.length)}",
      "{{#list__has_1}}item{{/list__has_1}}{{^list__has_1}}items{{/list__has_1}}",
      { list: ["a", "b"] },
    ],
    ["{same(props.text)}", "{{text}}", { text: "x" }],
    ["{greet('Hi', { name: props.name })}", "Hi, {{name}}!", { name: "Ann" }],
    ["{greet('Hi', { name: `Dr. ${props.name}` })}", "Hi, Dr. {{name}}!", { name: "Ann" }],
    [
      "<b className={classes('a', props.on && 'b')} />",
      '<b class="{{#on}}a b{{/on}}{{^on}}a{{/on}}"></b>',
      { on: true },
    ],
    [
      "{props.list.map((i) => <b key={i.name} className={classes('a', i.extra && 'x')}>{i.name}</b>)}",
      '{{#list}}<b class="{{#extra__is_truthy}}a x{{/extra__is_truthy}}{{^extra__is_truthy}}a{{/extra__is_truthy}}">{{name}}</b>{{/list}}',
      {
        list: [
          { name: "a", extra: "e" },
          { name: "b", extra: "" },
        ],
      },
    ],
    [
      "<b className={classes('a', props.name)} />",
      '<b class="{{#name__is_truthy}}a {{name}}{{/name__is_truthy}}{{^name__is_truthy}}a{{/name__is_truthy}}"></b>',
      { name: "b" },
    ],
    [
      "<b className={classes('a', props.name)} />",
      '<b class="{{#name__is_truthy}}a {{name}}{{/name__is_truthy}}{{^name__is_truthy}}a{{/name__is_truthy}}"></b>',
      { name: "b" },
      {},
    ],
    [
      "<b className={classes(['a', { b: props.n, c: props.on }])} />",
      '<b class="{{#on}}{{#n__is_truthy}}a b c{{/n__is_truthy}}{{^n__is_truthy}}a c{{/n__is_truthy}}{{/on}}{{^on}}{{#n__is_truthy}}a b{{/n__is_truthy}}{{^n__is_truthy}}a{{/n__is_truthy}}{{/on}}"></b>',
      { n: 2, on: true },
    ],
  ])("%s", async (markup, expected, ...fixtures) => {
    const named = Object.fromEntries(fixtures.map((each, index) => [`f${index}`, each]));
    const source = component(`<p>${markup}</p>`, IMPORT);
    const compiled = await project.prove(source, { fixtures: named });
    expect(compiled.diagnostics).toEqual([]);
    expect(compiled.html).toBe(`<div><p>${expected}</p></div>`);
    const [first = {}, ...others] = fixtures;
    expect(await project.failures(compiled, randomVariables(first, ...others))).toEqual([]);
  });

  test("of few, it is a case for each", async () => {
    const schema = {
      type: "object",
      properties: { tone: { type: "string", enum: ["red", "blue"] } },
      required: ["tone"],
    } as const;
    const { html, diagnostics } = await project.compile(component("<p>{tone(props.tone)}</p>", IMPORT), {
      fixtures: { one: { tone: "blue" } },
      schema,
    });
    expect(diagnostics).toEqual([]);
    expect(html).toBe("<div><p>{{#tone__is_red}}#f00{{/tone__is_red}}{{^tone__is_red}}blue{{/tone__is_red}}</p></div>");
  });
});

describe("what a package computes is refused where it is called, whatever the fixture", () => {
  test.each<[markup: string, call: string, fixture: Variables, derived: string]>([
    ["{capitalize(props.text)}", "capitalize(props.text)", { text: "Ann" }, "capitalize(variables.text)"],
    [
      "{tools.capitalize(props.text)}",
      "tools.capitalize(props.text)",
      { text: "Ann" },
      "tools.capitalize(variables.text)",
    ],
    ["{all.capitalize(props.text)}", "all.capitalize(props.text)", { text: "Ann" }, "all.capitalize(variables.text)"],
    [
      "{truncate(props.text, { length: 9 })}",
      "truncate(props.text, { length: 9 })",
      { text: "Ann" },
      "truncate(variables.text, { length: 9 })",
    ],
    ["{slug(props.text)}", "slug(props.text)", { text: "ann" }, "slug(variables.text)"],
    ["{slug(`to ${props.text}`)}", "slug(`to ${props.text}`)", { text: "ann" }, "slug(`to ${variables.text}`)"],
    ["{initials(props.text)}", "initials(props.text)", { text: "A" }, "initials(variables.text)"],
    ["{quote(props.text)}", "quote(props.text)", { text: "A" }, "quote(variables.text)"],
    ["{escape(props.text)}", "escape(props.text)", { text: "A" }, "escape(variables.text)"],
    ["{code(props.text)}", "code(props.text)", { text: "a" }, "code(variables.text)"],
    ["{cached(props.text)}", "cached(props.text)", { text: "a" }, "cached(variables.text)"],
    ["{tone(props.text)}", "tone(props.text)", { text: "a" }, "tone(variables.text)"],
    ["{round(props.n)}", "round(props.n)", { n: 0.5 }, "round(variables.n)"],
    ["{day(props.date)}", "day(props.date)", { date: "2024-01-02" }, "day(variables.date)"],
    ["{price(props.n).format()}", "price(props.n)", { n: 0 }, "price(variables.n).format()"],
    ["{isEmpty(props.list) ? 'none' : 'some'}", "isEmpty(props.list)", { list: ["a"] }, "isEmpty(variables.list)"],
  ])("%s", async (markup, call, fixture, derived) => {
    const source = component(`<p>${markup}</p>`, IMPORT);
    const { diagnostics } = await project.compile(source, { fixtures: { one: fixture } });
    const line = source.split("\n").findIndex((each) => each.includes(call));
    const column = source.split("\n")[line]?.indexOf(call) ?? -1;
    const [name] = Object.keys(fixture);
    expect(diagnostics).toMatchObject([
      {
        rule: "react-unsupported",
        severity: "error",
        message: `\`${call}\` is computed by a package; ${name} is known only when an email is filled.`,
        at: { line: line + 1, column: column + 1 },
      },
    ]);
    expect(diagnostics[0]?.hint).toContain(derived);
  });

  test("a number that it makes of a variable, too", async () => {
    const source = component("<p>{money(props.n)}</p>", IMPORT);
    const { diagnostics } = await project.compile(source, { fixtures: { one: { n: 2 } } });
    expect(diagnostics).toMatchObject([{ rule: "react-unsupported", at: { line: 4 } }]);
  });
});
