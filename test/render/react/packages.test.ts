import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Variables } from "../../../src/mustache/variables.js";
import { compileReact } from "../../../src/render/react/engine.js";
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
  export const symbol = (currency) => ({ EUR: "€", GBP: "£" })[currency];
  export const isOrder = (text) => /^[A-Z]{2}-\\d{4}$/.test(text);
  const cache = new Map();
  export const cached = (text) => { if (!cache.has(text)) cache.set(text, text === "x" ? "y" : text); return cache.get(text); };
  export const tone = (name) => (name === "red" ? "#f00" : name);
  export const same = (value) => value;
  export const variants = (base, names) => ({ tone }) => base + (names[tone] ? " " + names[tone] : "");
  export const clock = (at, timeZone) => {
    try { return new Intl.DateTimeFormat("en", { timeStyle: "short", timeZone }).format(new Date(at)); } catch { return "--"; }
  };
  export const greet = (key, { name }) => key + ", " + name + "!";
  export const classes = (...given) => given.flat(9).flatMap((each) => {
    if (!each) return [];
    if (typeof each === "string") return [each];
    return typeof each === "object" ? Object.keys(each).filter((name) => each[name]) : [];
  }).join(" ");
  export default { capitalize, plural };`,
);

await addPackage(
  "parts",
  `import { createContext, forwardRef, memo, useContext, useId } from "react";
  const p = (...children) => h("p", null, ...children);
  export const Plain = ({ title, tone, children, ...rest }) => h("div", { title, style: { color: tone }, ...rest }, children);
  export const One = ({ count }) => p(count === 1 ? "one" : String(count));
  export const Long = ({ children }) => p(String(children).length > 50 ? "long" : children);
  export const First = memo(({ text }) => p(h("b", null, text[0] === text[0].toUpperCase() ? "A" : "a"), text));
  export const Bold = forwardRef(({ children }, ref) =>
    h("p", { ref, dangerouslySetInnerHTML: { __html: String(children).replace(/[*][*](.+?)[*][*]/g, "<b>$1</b>") } }));
  export const Typed = ({ value }) => p(typeof value === "number" ? value.toFixed(2) : value);
  export const Json = ({ value }) => p(JSON.stringify(value).slice(1, -1));
  export const Letters = ({ text }) => p(...text.split("").map((letter, index) => h("i", { key: index }, letter)));
  export const Code = ({ text }) => p(text, text.charCodeAt(0) > 255 ? "!" : "");
  const cache = new Map();
  export const Cached = ({ text }) => { if (!cache.has(text)) cache.set(text, text.trim()); return p(cache.get(text)); };
  export const Amount = ({ value }) => p(new Intl.NumberFormat("en-US").format(value));
  export const Tone = ({ tone }) => p(tone === "red" ? "!" : "", tone);
  export const Space = ({ style }) => h("p", { style: { ...style, marginTop: /^\\d+px$/.test(style.margin) ? 0 : style.margin } });
  export const Maybe = ({ text }) => (text ? p(text) : h("hr"));
  export const Picture = ({ src }) => h("img", { src: src.toUpperCase() });
  export const Ago = ({ date }) => p(Date.now() > Date.parse(date) + 1e11 ? "long ago" : date);
  export const Lucky = ({ numbers }) => p(numbers[Math.floor(Math.random() * numbers.length)]);
  const Level = createContext(0);
  export const Outer = ({ children }) => h(Level.Provider, { value: 2 }, children);
  export const Inner = ({ count }) => p(count === 1 ? "one" : String(count), " at ", useContext(Level));
  export const Again = ({ text }) => p(useId() + text);`,
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

/** Values like those of an example, which may be absent if another example lacks them. */
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
import { cached, capitalize, classes, code, day, escape, greet, initials, isEmpty, isOrder, money, plural, price, quote, round, same, slug, symbol, tone, truncate } from "tools";`;

describe("the result of a package function is right for every value", () => {
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

  test("for few values, it is compiled to one case for each", async () => {
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

test("a function that a package created for the module is compiled to one case for each value", async () => {
  const badge = `${IMPORT}\nimport { variants } from "tools";\nexport const badge = variants("p-2", { red: "bg-red", blue: "bg-blue" });`;
  const source = component("<p className={badge({ tone: props.tone })}>a</p>", badge);
  const schema = {
    type: "object",
    properties: { tone: { type: "string", enum: ["red", "blue"] } },
    required: ["tone"],
  } as const;
  const { html, diagnostics } = await project.prove(source, { fixtures: { one: { tone: "blue" } }, schema });
  expect(diagnostics).toEqual([]);
  expect(html).toMatch(/class="p-2 \{\{#tone__is_red\}\}bg-red|class="\{\{#tone__is_red\}\}p-2 bg-red/);
});

test("a function that a package created for the module gets one of the texts that a function of the project returns", async () => {
  const badge = `import { variants } from "tools";
const badge = variants("p-2", { good: "bg-green", slow: "bg-amber", bad: "bg-red" });
const tone = ({ ms, limit }) => (ms === null ? "bad" : ms > limit ? "slow" : "good");`;
  const source = component(
    "{props.calls.map((call, i) => <b key={i} className={badge({ tone: tone(call) })} />)}",
    badge,
  );
  const calls = [
    { ms: 1, limit: 3 },
    { ms: null, limit: 3 },
    { ms: 5, limit: 3 },
  ];
  const { diagnostics } = await project.prove(source, { fixtures: { all: { calls } } });
  expect(diagnostics).toEqual([]);
});

test("a package's function is tried with a moment and a time zone together", async () => {
  const source = component("<p>{clock(props.at, props.zone)}</p>", 'import { clock } from "tools";');
  const fixtures = { one: { at: "2026-03-09T01:00:00Z", zone: "Asia/Tokyo" } };
  const { diagnostics } = await project.prove(source, { fixtures });
  expect(diagnostics).toEqual([]);
});

const PARTS = `import { Again, Ago, Amount, Bold, Cached, Code, First, Inner, Json, Letters, Long, Lucky, Maybe, One, Outer, Picture, Plain, Space, Tone, Typed } from "parts";
import * as E from "@react-email/components";`;

describe("the output of a package component is right for every value", () => {
  test.each<[markup: string, ...fixtures: Variables[]]>([
    [
      "<Plain title={props.text} tone={props.tone} id={`a-${props.n}`}>Hi {props.text}</Plain>",
      { text: "a", tone: "red", n: 1 },
    ],
    ["<Plain>{props.list.map((each) => <Plain key={each} title={each}>{each}</Plain>)}</Plain>", { list: ["a"] }],
    ["{props.text ? <Maybe text={props.text} /> : 'none'}", { text: "a" }],
    ["<E.Link href={props.text} style={{ color: props.tone }}>{props.text}</E.Link>", { text: "a", tone: "red" }],
    ["<E.Text>{props.text}, {props.n}</E.Text>", { text: "a", n: 1 }],
    ["<E.Text>{props.text}</E.Text>", { text: "a" }, {}],
    ["<E.Text>Hi, {(props.text ?? 'X').split(' ')[0]}</E.Text>", { text: "Ann Lee" }, {}],
    ["<E.Heading>{props.text}</E.Heading>", { text: "a" }],
    ["<E.Img src={`https://example.com/${props.text}`} alt={props.text} />", { text: "a" }],
    ["<E.Button href={`https://example.com/${props.n}`}>{props.text}</E.Button>", { text: "a", n: 1 }],
    ["<E.Section style={{ backgroundColor: props.tone }}>{props.text}</E.Section>", { text: "a", tone: "red" }],
    ["<E.CodeInline>{props.text}</E.CodeInline>", { text: "a" }],
    [
      "<E.Tailwind><p className='p-4' style={{ color: props.tone }}>{props.text}</p></E.Tailwind>",
      { text: "a", tone: "red" },
    ],
    ["<E.Tailwind><p className={props.on ? 'p-4' : 'p-8'}>{props.text}</p></E.Tailwind>", { text: "a", on: true }],
    ["<p className={`a ${props.text}`}>{props.text}</p>", { text: "a" }],
  ])("%s", async (markup, ...fixtures) => {
    const named = Object.fromEntries(fixtures.map((each, index) => [`f${index}`, each]));
    const compiled = await project.prove(component(markup, PARTS), { fixtures: named });
    expect(compiled.diagnostics).toEqual([]);
    const [first = {}, ...others] = fixtures;
    expect(await project.failures(compiled, randomVariables(first, ...others))).toEqual([]);
  });
});

describe("the HTML of a package component that computes with a variable is computed when an email is filled", () => {
  test.each<[markup: string, ...fixtures: Variables[]]>([
    ["<One count={props.n} />", { n: 2 }],
    ["<One count={props.list.length} />", { list: ["a", "b"] }],
    ["<Long>{props.text}</Long>", { text: "a" }],
    ["<Long>{`Dear ${props.text}`}</Long>", { text: "a" }],
    ["<Long>Dear {props.text}, {props.n}</Long>", { text: "a", n: 1 }],
    ["<First text={props.text} />", { text: "\u00df" }],
    ["<Bold>{props.text}</Bold>", { text: "a" }],
    ["<Bold>{props.text}</Bold>", { text: "a" }, {}],
    ["<Bold>{props.text.toUpperCase() + (props.n + 1)}</Bold>", { text: "a", n: 1 }],
    ["<Typed value={props.n} />", { n: 0.25 }],
    ["<Json value={props.text} />", { text: "a" }],
    ["<Json value={{ text: props.text, list: props.list, both: [props.n, 'x'] }} />", { text: "a", list: ["b"], n: 1 }],
    ["<Letters text={props.text} />", { text: "" }],
    ["<Code text={props.text} />", { text: "\u4e00" }],
    ["<Cached text={props.text} />", { text: "a" }],
    ["<Amount value={props.n} />", { n: 2 }],
    ["<Tone tone={props.text} />", { text: "a" }],
    ["<Space style={{ margin: props.text }} />", { text: "0" }],
    ["<Maybe text={props.text} />", { text: "a" }],
    ["<Picture src={`https://example.com/${props.text}`} />", { text: "a" }],
    ["{props.list.map((each) => <Bold key={each}>{each}</Bold>)}", { list: ["a"] }],
    [
      "{props.list.map((each) => <Bold key={each.a}>{`${each.a} ${props.text}`}</Bold>)}",
      { list: [{ a: "b" }], text: "a" },
    ],
    ["{props.on ? <Bold>{props.text}</Bold> : null}", { on: false, text: "a" }],
    ["<Inner count={props.n} />", { n: 2 }],
    ["<Bold>{props.on ? props.text : 'none'}</Bold>", { on: false, text: "a" }],
    ["<E.Tailwind><div className='p-4'><Bold>{props.text}</Bold></div></E.Tailwind>", { text: "a" }],
    ["<E.Markdown>{props.text}</E.Markdown>", { text: "a" }],
    ["<E.Markdown>{`# Dear ${props.text}`}</E.Markdown>", { text: "a" }],
    ["<E.Markdown markdownContainerStyles={{ padding: 12 }}>{props.text ?? ''}</E.Markdown>", { text: "a" }, {}],
    ["<E.CodeBlock code={props.text} language='javascript' theme={E.dracula} lineNumbers />", { text: "a" }],
    [
      "<E.CodeBlock code={`const a = ${props.n};`} language='javascript' theme={{ base: { color: 'red' } }} />",
      { n: 1 },
    ],
    ["<E.Heading m={props.text}>a</E.Heading>", { text: "a" }],
    ["<E.Text style={{ margin: props.text }}>a</E.Text>", { text: "0" }],
    ["<E.Button style={{ padding: props.text }}>{props.text}</E.Button>", { text: "0" }],
  ])("%s", async (markup, ...fixtures) => {
    const named = Object.fromEntries(fixtures.map((each, index) => [`f${index}`, each]));
    const compiled = await project.prove(component(markup, PARTS), { fixtures: named });
    expect(compiled.diagnostics).toEqual([]);
    expect(JSON.stringify(compiled.output.conditions)).toContain('"isComponent":true');
    expect(compiled.html).toContain("{{{");
    const [first = {}, ...others] = fixtures;
    const failures = await project.failures(compiled, randomVariables(first, ...others));
    // Without an email, what is computed does not matter.
    expect(failures.filter(({ kind }) => kind === "differs")).toEqual([]);
  });

  test("a theme of the package is named, rather than copied", async () => {
    const source = component("<E.CodeBlock code={props.text} language='javascript' theme={E.dracula} />", PARTS);
    const { output } = await project.compile(source, { fixtures: { one: { text: "a" } } });
    expect(JSON.stringify(output.conditions)).toContain('"name":"dracula"');
  });

  test("the preview's source positions are not part of it", async () => {
    const source = component("<Bold>{props.text}</Bold>", PARTS);
    const template = await project.template(source, { fixtures: { one: { text: "a" } } });
    const [one, other] = await Promise.all(
      [true, false].map((sited) => compileReact(template, { ...project.context, sited }, async () => undefined)),
    );
    expect(one?.conditions).toEqual(other?.conditions);
  });
});

describe("a package component that computes with a variable is refused if its properties don't decide what it renders", () => {
  test.each<[markup: string, fixture: Variables, problem: RegExp]>([
    ["<One count={props.n}><b>a</b></One>", { n: 2 }, /package component that computes with a variable/],
    ["<Outer><Inner count={props.n} /></Outer>", { n: 2 }, /also depends on the components around it/],
    ["<Ago date={props.date} />", { date: "2024-01-01" }, /depends on the time or on random numbers/],
    ["<Lucky numbers={props.list} />", { list: ["a", "b"] }, /depends on the time or on random numbers/],
    ["<E.Tailwind><E.Markdown className='p-4'>{props.text}</E.Markdown></E.Tailwind>", { text: "a" }, /around it/],
    ["<E.Tailwind><p className={props.text}>a</p></E.Tailwind>", { text: "a" }, /class names/],
    ["<E.Tailwind><p className={`p-4 ${props.text}`}>a</p></E.Tailwind>", { text: "a" }, /class names/],
    ["<E.Tailwind><p className={`text-${props.text}`}>a</p></E.Tailwind>", { text: "a" }, /class names/],
    ["<E.Tailwind><p className={`p-${props.n}`}>a</p></E.Tailwind>", { n: 0.1 }, /class names/],
  ])("%s", async (markup, fixture, problem) => {
    const { diagnostics } = await project.compile(component(`<div>${markup}</div>`, PARTS), {
      fixtures: { one: fixture },
    });
    expect(diagnostics).toMatchObject([{ rule: "react-unsupported", severity: "error", at: { line: 4 } }]);
    expect(diagnostics[0]?.message).toMatch(problem);
    expect(diagnostics[0]?.hint).toBeDefined();
  });

  test("each such element is reported", async () => {
    const source = component("\n<One count={props.a}><b>a</b></One>\n<One count={props.b}><b>a</b></One>\n", PARTS);
    const { diagnostics } = await project.compile(source, { fixtures: { one: { a: 1, b: 2 } } });
    expect(diagnostics).toMatchObject([
      {
        message:
          "`<One count={props.a}>` is a package component that computes with a variable; a is only known when an email is filled.",
        at: { line: 5, column: 1 },
      },
      { at: { line: 6, column: 1 } },
    ]);
  });

  test("a component whose output differs each time is not blamed on the variable", async () => {
    const { diagnostics } = await project.compile(component("<Again text={props.text} />", PARTS), {
      fixtures: { one: { text: "a" } },
    });
    expect(diagnostics).toEqual([]);
  });
});

test("imports through an alias are own code, including members of its objects", async () => {
  await project.add("package.json", '{ "imports": { "#lib": "./templates/_lib.ts" } }');
  await project.add("templates/_lib.ts", `export const lib = { short: (text) => (text === "a" ? "A" : text) };`);
  const source = component("<p>{lib.short(props.text)}</p>", 'import { lib } from "#lib";');
  const { html } = await project.prove(source, { fixtures: { one: { text: "a" } } });
  expect(html).toBe("<div><p>{{#text__is_a}}A{{/text__is_a}}{{^text__is_a}}{{text}}{{/text__is_a}}</p></div>");
});

describe("what a package computes with a variable is computed when an email is filled", () => {
  test.each<[markup: string, fixture: Variables]>([
    ["{capitalize(props.text)}", { text: "Ann" }],
    ["{tools.capitalize(props.text)}", { text: "Ann" }],
    ["{all.capitalize(props.text)}", { text: "Ann" }],
    ["{truncate(props.text, { length: 9 })}", { text: "Ann" }],
    ["{slug(props.text)}", { text: "ann" }],
    ["{slug(`to ${props.text}`)}", { text: "ann" }],
    ["{initials(props.text)}", { text: "A" }],
    ["{quote(props.text)}", { text: "A" }],
    ["{escape(props.text)}", { text: "A" }],
    ["{code(props.text)}", { text: "a" }],
    ["{cached(props.text)}", { text: "a" }],
    ["{tone(props.text)}", { text: "a" }],
    ["{round(props.n)}", { n: 0.5 }],
    ["{symbol(props.text)}", { text: "EUR" }],
    ["{isOrder(props.text) ? 'order' : `no order: ${props.text}`}", { text: "AB-1234" }],
    ["{price(props.n).format()}", { n: 0 }],
    ["{money(props.n)}", { n: 2 }],
    ["{isEmpty(props.list) ? 'none' : 'some'}", { list: ["a"] }],
    ["{props.text === 'paid' ? capitalize(props.text) : 'none'}", { text: "Paid" }],
    ["{props.n > 9e9 ? plural('a', props.n) + round(props.n) : ''}", { n: 1 }],
  ])("%s", async (markup, fixture) => {
    const compiled = await project.prove(component(`<p>${markup}</p>`, IMPORT), { fixtures: { one: fixture } });
    expect(compiled.diagnostics).toEqual([]);
    expect(JSON.stringify(compiled.output.conditions)).toContain('"kind":"package","module":"tools"');
    expect(await project.failures(compiled, randomVariables(fixture))).toEqual([]);
  });
});
