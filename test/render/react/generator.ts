import type { GeneratorValue } from "fast-check";
import * as fc from "fast-check";
import type { Variables, VariablesSchema } from "../../../src/mustache/variables.js";

/*
 * Random components from what is supported: nested printing, choices, lists, defaults, functions, own components and package
 * components; and variables for them.
 */

const text: VariablesSchema = { type: "string" };
const flag: VariablesSchema = { type: "boolean" };
const number: VariablesSchema = { type: "number" };
const list = (items: VariablesSchema): VariablesSchema => ({ type: "array", items });

function object(properties: Record<string, VariablesSchema>, optional: readonly string[] = []): VariablesSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required };
}

const item = object(
  {
    label: text,
    price: number,
    gift: flag,
    hint: text,
    marks: list(text),
    parts: list(object({ title: text, big: flag, label: text })),
  },
  ["hint"],
);

export const SCHEMA = object(
  {
    name: text,
    label: text,
    note: text,
    vip: flag,
    maybe: flag,
    count: number,
    status: text,
    tags: list(text),
    extras: list(text),
    scores: list(number),
    items: list(item),
    rank: number,
    level: { anyOf: [number, { type: "null" }] },
    order: object({ id: text, total: number, memo: text }, ["memo"]),
    nick: { anyOf: [text, { type: "null" }] },
    alias: { anyOf: [text, { type: "null" }] },
    grade: { anyOf: [number, { type: "null" }] },
    shop: object({ name: text, site: text }, ["site"]),
  },
  ["note", "maybe", "shop", "extras", "rank", "alias", "grade"],
);

const TEXTS = ["", "Ann", "O'Brien & <Co>", "a", "b", "c", "two words", "{{x}}"];
const NUMBERS = [0, 1, 3, -2, 4.5, 100];

export function variablesOf(schema: VariablesSchema): fc.Arbitrary<unknown> {
  const { type, items, anyOf, properties = {}, required = [] } = schema;
  if (anyOf) return fc.oneof(...anyOf.map(variablesOf));
  if (type === "null") return fc.constant(null);
  if (type === "string") return fc.constantFrom(...TEXTS);
  if (type === "number") return fc.constantFrom(...NUMBERS);
  if (type === "boolean") return fc.boolean();
  if (type === "array") return fc.array(variablesOf(typeof items === "object" ? items : text), { maxLength: 3 });
  const members = Object.entries(properties).map(([name, member]) => [name, variablesOf(member)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys: [...required], noNullPrototype: true });
}

export const variables = variablesOf(SCHEMA) as fc.Arbitrary<Variables>;

/** What is in scope, by kind. */
interface Scope {
  readonly texts: readonly string[];
  readonly optional: readonly string[];
  readonly numbers: readonly string[];
  readonly flags: readonly string[];
  readonly lists: readonly (readonly [expression: string, of: "items" | "parts" | "texts" | "numbers"])[];
  /** The index of an item, and its list. */
  readonly positions: readonly (readonly [index: string, list: string])[];
  /** Items of a list of items. */
  readonly items: readonly string[];
}

const ROOT: Scope = {
  texts: ["p.name", "p.label", "p.order.id", "p.status"],
  optional: [
    "p.note",
    "p.order.memo",
    "p.order?.memo",
    "p.nick",
    "p.alias",
    "named(p)",
    "p.shop?.name",
    "p.shop?.site",
    "p.tags[0]",
    "p.items[0]?.label",
    "p.items.at(-1)?.hint",
    "p.items[p.items.length - 1]?.label",
    "p.items[1]?.parts[0]?.title",
    "firstOf(p.items)",
  ],
  numbers: ["p.count", "p.order.total"],
  flags: ["p.vip", "p.maybe"],
  lists: [
    ["p.items", "items"],
    ["p.tags", "texts"],
    ["(p.extras ?? [])", "texts"],
    ["p.scores", "numbers"],
  ],
  positions: [],
  items: [],
};

const PRELUDE = `import { Children, cloneElement, createContext, memo, useContext, useMemo } from "react";
import { Text } from "@react-email/components";
const Tone = createContext("plain");
const Toned = memo(() => <q>{useContext(Tone)}</q>);
const Bullets = ({ children }) => <ul>{Children.map(children, (child) => <li>{child}</li>)}</ul>;
const Titled = ({ children, title }) => cloneElement(children, { title });
const classes = (...names) => names.filter(Boolean).join(" ");
const named = ({ alias = "nobody" }) => alias;
const firstOf = ([first]) => first?.label;
function size(n) { switch (true) { case n > 50: return "L"; case n >= 1 && n < 5: return "M"; case n < 0: return "-"; default: return "S"; } }
function marks(a, b, c, d, e, f) {
  let text = "m";
  if (a) text += "a"; if (b) text += "b"; else text += "-";
  if (c) { const more = "c"; text += more; }
  if (d) text += "d"; else if (e) text += "e";
  if (f) text = text + "f"
  return text;
}
function orElse(x, y) { let z = x; z ??= y; let w = x; w ||= "w"; return z + "|" + w; }
const Lazy = ({ of }) => useMemo(() => of.map((each, at) => <s key={at}>{at > 0 && "+"}{each}</s>), [of]);
const LABELS = { a: "Alpha", b: "Beta", "two words": "TW" };
function kind(x) { switch (x) { case "a": return "KA"; case "b": case "c": return "KBC"; default: return "K?" + x; } }
function pick(x, y) { let label = "none"; if (y) label = x; else if (x === "a") { label = "A!"; } return label + "."; }
function section(show, title) { if (!show) return null; return <section>{title}</section>; }
function Box({ tone, flag = true, opt = "default", children }) {
  const name = flag ? "on" : "off";
  if (tone === "a") return <div className={name}>{children}</div>;
  return <div className={name} title={tone}>{opt}{children}</div>;
}
const Line = ({ label, hint = "no hint", price }) => {
  const text = hint ? label + " " + hint : label;
  let cost;
  if (price === 0) cost = "free";
  else cost = String(price);
  return <li title={hint}>{text}{[1, 2].map((n) => <i key={n}>{n === 1 ? cost : null}</i>)}</li>;
};
const Site = ({ shop: { name = "anon", site } = {}, ...others }) => <address id={others.note}>{name}{site && <a href={site}>{site}</a>}</address>;
const Card = ({ title, wide = false, ...rest }) => (
  <table width={wide ? 600 : undefined} {...rest}><tbody><tr><td>{title || "untitled"}</td></tr></tbody></table>
);
`;

/** The source of a component. */
export const component: fc.Arbitrary<string> = fc.gen().map((g) => new Writer(g).component());

class Writer {
  readonly #draw: GeneratorValue;
  #names = 0;

  constructor(draw: GeneratorValue) {
    this.#draw = draw;
  }

  component(): string {
    return `${PRELUDE}export default function Email(p) { return <div>${this.children(ROOT, 4)}${this.children(ROOT, 3)}</div>; }\n`;
  }

  one<T>(...values: readonly T[]): T {
    return this.#draw(fc.constantFrom<T[]>, ...values);
  }

  text(scope: Scope, depth: number): string {
    const deeper = (): string => this.text(scope, depth - 1);
    const test = (): string => this.flag(scope, depth - 1);
    if (depth <= 0) return this.one(this.literal.bind(this), () => this.one(...scope.texts))();
    return this.one(
      () => this.one(...scope.texts),
      () => this.literal(),
      () => `\`${this.one("x ", "")}\${${deeper()}}-\${${deeper()}}\``,
      () => `(${deeper()} + ${this.literal()} + ${deeper()})`,
      () => `(${this.one(...scope.optional)} ?? ${deeper()})`,
      () => `(${this.one(...scope.optional, ...scope.texts)} || ${deeper()})`,
      () => `(${test()} ? ${deeper()} : ${deeper()})`,
      () => `\`n=\${${this.one(...scope.numbers)}}\``,
      () => `String(${this.one(...scope.numbers)})`,
      () => `(LABELS[${this.one(...scope.texts)}] ?? "none")`,
      () => `pick(${this.one(...scope.texts)}, ${test()})`,
      () => `kind(${this.one(...scope.texts)})`,
      () => `[${deeper()}, ${test()} && "y"].filter(Boolean).join(" ")`,
      () => `[${this.one(...scope.optional)}, ${deeper()}].join("/")`,
      () => `size(${this.one(...scope.numbers)})`,
      () => `marks(${Array.from({ length: 6 }, () => this.flag(scope, 1)).join(", ")})`,
      () => `orElse(${this.one(...scope.optional)}, ${deeper()})`,
      () => `classes("k", ${test()} && "y", ${test()} ? "z" : ${deeper()})`,
      () => `${this.listOf(scope, "texts")}.join(${this.one('", "', '""', deeper())})`,
      () => `${this.listOf(scope, "items")}.map((each) => each.label).join("; ")`,
      () => `["zero", "one", "two"][${this.one(...scope.numbers)}] + "."`,
    )();
  }

  flag(scope: Scope, depth: number): string {
    const deeper = (): string => this.flag(scope, depth - 1);
    if (depth <= 0) return this.one(...scope.flags, `(${this.one(...scope.texts)} === ${this.literal()})`);
    return this.one(
      () => this.one(...scope.flags),
      () => `!(${deeper()})`,
      () => `(${deeper()} && ${deeper()})`,
      () => `(${deeper()} || ${deeper()})`,
      () => `(${this.one(...scope.texts)} ${this.one("===", "!==")} ${this.literal()})`,
      () => `(${this.one(...scope.numbers)} === ${this.one("0", "3")})`,
      () => `(${this.one(...scope.optional)} ${this.one("!= null", "== undefined")})`,
      () => this.absence(),
      () => this.one("(p.note === undefined)", "(p.nick === null)", "!p.shop"),
      () =>
        `(${this.one("p.alias", "p.grade", "named(p)")} ${this.one("===", "!==")} ${this.one("null", "undefined")})`,
      () => `(${this.list(scope)}.length ${this.one("> 0", "=== 0", ">= 1", "> 1", "=== 2", "!== 1", "< 3", "<= 1")})`,
      () => `(p.extras?.length ${this.one("> 0", "=== 0", "< 2", "!== 1")})`,
      () => this.comparison(scope),
      () => `(${this.comparison(scope)} && ${this.comparison(scope)})`,
      () => this.position(scope),
      () => this.position(scope),
      () => `${this.listOf(scope, "texts")}.includes(${this.literal()})`,
      () => `${this.listOf(scope, "items")}.${this.one("some", "every")}((each) => ${this.quantified()})`,
      () => `p.scores.${this.one("some", "every")}((each) => each ${this.one("> 0", "=== 3", "<= 1")})`,
      () =>
        `(typeof ${this.one("p.note", "p.rank", "p.shop", "p.alias", "p.grade")} ${this.one("===", "!==")} ${this.one('"string"', '"undefined"', '"object"')})`,
      () => `Array.isArray(p.extras)`,
      () => `(${this.one(...scope.texts)}.length ${this.one("> 2", "=== 3", "<= 1")})`,
      () => `!${this.list(scope)}.length`,
      () => `!!${this.one(...scope.optional)}`,
      () => `Boolean(${this.one(...scope.numbers)})`,
      () => `["a", "b"].includes(${this.one(...scope.texts)})`,
      () => `(${this.one(...scope.texts)}.length > 0)`,
      () => `(typeof ${this.one(...scope.texts)} === "string")`,
    )();
  }

  children(scope: Scope, depth: number): string {
    return Array.from({ length: this.one(1, 1, 2, 3) }, () => this.child(scope, depth)).join("");
  }

  child(scope: Scope, depth: number): string {
    const element = (): string => this.element(scope, depth - 1);
    if (depth <= 0) return this.one(`{${this.text(scope, 0)}}`, "text");
    return this.one(
      () => `{${this.text(scope, depth - 1)}}`,
      () => `{${this.one(...scope.optional, ...scope.numbers, ...scope.flags)}}`,
      () => " words ",
      () => `{${this.flag(scope, depth - 1)} && ${element()}}`,
      () => `{${this.one(...scope.optional, ...scope.numbers, ...scope.texts)} && ${element()}}`,
      () =>
        `{${this.flag(scope, depth - 1)} ? ${element()} : ${this.one(
          element,
          () => "null",
          () => this.text(scope, depth - 1),
        )()}}`,
      () => this.loop(scope, depth),
      () => this.loop(scope, depth),
      () => `{${this.flag(scope, 1)} && ${this.loop(scope, depth).slice(1, -1)}}`,
      element,
      () =>
        `<Bullets>${element()}{${this.flag(scope, depth - 1)} && ${element()}}${this.child(scope, depth - 1)}</Bullets>`,
      () => `<Bullets>${this.loop(scope, depth)}</Bullets>`,
      () => `<Titled title={${this.text(scope, 1)}}>{${this.flag(scope, 1)} ? <b>1</b> : <i>2</i>}</Titled>`,
      () => `<Lazy of={${this.listOf(scope, "texts")}} />`,
      () =>
        `{${this.listOf(scope, "items")}.slice(${this.one("0, 1", "1", "0, 2", "1, -1", "0, -1")}).map((one, at) => <i key={at}>{at > 0 && "/"}{one.label}</i>)}`,
      () => this.rows(scope, depth),
      () => this.together(scope),
      () =>
        `{(([first, ...others]) => <>{first?.label}{others.map((one, at) => <i key={at}>{at < others.length - 1 && "/"}{one.label}</i>)}{others.length > 0 && "+"}{others[0]?.label}</>)(${this.listOf(scope, "items")})}`,
      () => `{${this.listOf(scope, "items")}.flatMap((one) => [<i>{one.label}</i>, one.gift && "g"])}`,
      () => `{${this.list(scope)}.length > 0 && <ul>${this.loop(scope, depth - 1)}</ul>}`,
      () => `{!${this.list(scope)}.length && ${element()}}`,
      () => `{section(${this.flag(scope, depth - 1)}, ${this.one(...scope.texts)})}`,
    )();
  }

  loop(scope: Scope, depth: number): string {
    const [expression, of] = this.one(...scope.lists);
    this.#names += 1;
    const [name, index] = [`v${this.#names}`, `i${this.#names}`];
    if (of === "numbers") {
      const inner = {
        ...scope,
        numbers: [...scope.numbers, name],
        positions: [...scope.positions, [index, expression] as const],
      };
      return `{${expression}.map((${name}, ${index}) => ${this.element(inner, depth - 1, ` key={${index}}`)})}`;
    }
    if (of === "texts") {
      const positions = [...scope.positions, [index, expression] as const];
      const inner = { ...scope, texts: [...scope.texts, name, name], positions };
      const body = this.one(`{${name}}`, `{${this.text(inner, depth - 1)}}`, this.child(inner, depth - 1));
      return `{${expression}.map((${name}, ${index}) => <i key={${index}}>${body}</i>)}`;
    }
    if (of === "parts" && this.one(true, false)) {
      return `{${expression}.map(({ title, big = true }, ${index}) => <u key={${index}}>{big ? title : ${this.text(scope, depth - 1)}}</u>)}`;
    }
    const entered = of === "items" ? withItem(scope, name) : withPart(scope, name);
    const inner = { ...entered, positions: [...scope.positions, [index, expression] as const] };
    const body = this.one(
      () => this.element(inner, depth - 1, ` key={${index}}`),
      () =>
        `{ if (${this.flag(inner, depth - 1)}) return ${this.one("null", this.element(inner, depth - 2))}; return ${this.element(inner, depth - 2)}; }`,
    )();
    return `{${expression}.map((${name}, ${index}) => ${body})}`;
  }

  /** A list composed of others. */
  together(scope: Scope): string {
    const [items, others] = [this.listOf(scope, "items"), this.listOf(scope, "items")];
    const end = `{ label: ${this.text(scope, 1)}, gift: ${this.flag(scope, 1)} }`;
    const some = `(${this.flag(scope, 1)} ? ${others} : [])`;
    const whole = this.one(
      `[...${items}, ${end}]`,
      `[${end}, ...${items}]`,
      `[${end}, ...${items}.slice(1), ${end}]`,
      `[...${items}, ...${others}]`,
      `[...${some}, ${end}]`,
      `[${end}].concat(${items})`,
      `[${end}].concat(${some})`,
      `${items}.concat(${others}.slice(0, 2), ${end})`,
    );
    const one = this.one("<i>{one.label}</i>", '<b>{one.gift ? "g" : one.label}</b>');
    return this.one(
      `{${whole}.map((one) => ${one})}`,
      `{${whole}.map((one, at) => <i key={at}>{at === 0 && "first "}{one.label}</i>)}`,
      `{${whole}.length > ${this.one("0", "1", "2")} ? "many" : "few"}`,
      `{${items}.map((one) => ${one}).slice(${this.one("1", "0, 2", "1, -1")})}`,
      `{${items}.map((one) => ${one}).concat(${this.flag(scope, 1)} ? <hr /> : [])}`,
    );
  }

  /** Rows that a loop adds to a list. */
  rows(scope: Scope, depth: number): string {
    const items = this.listOf(scope, "items");
    this.#names += 1;
    const [name, rows] = [`v${this.#names}`, `r${this.#names}`];
    const inner = withItem(scope, name);
    const push = (): string => `${rows}.push(${this.element(inner, depth - 2)})`;
    const ask = (): string => this.flag(inner, 1);
    const turn = this.one(
      () => `${push()};`,
      () => `if (${ask()}) { ${push()}; }`,
      () => `if (${ask()}) ${push()}; else ${push()};`,
      () => `${ask()} && ${push()};`,
      () => `const { hint = "no hint" } = ${name}; ${rows}.push(<i>{hint}</i>);`,
    )();
    const skip = this.one("", `if (${ask()}) SKIP; `);
    const loop = this.one(
      `for (const ${name} of ${items}) { ${skip.replace("SKIP", "continue")}${turn} }`,
      `${items}.forEach((${name}) => { ${skip.replace("SKIP", "return")}${turn} });`,
      `${this.flag(scope, 1)} && ${items}.forEach((${name}) => { ${turn} });`,
    );
    const use = this.one(rows, rows, `${rows}.length > 1 ? <ul>{${rows}}</ul> : ${rows}`);
    return `{(() => { const ${rows} = []; ${this.one("", `if (${this.flag(scope, 1)}) ${rows}.push("head"); `)}${loop} return ${use}; })()}`;
  }

  element(scope: Scope, depth: number, key = ""): string {
    const inside = (): string => this.children(scope, depth - 1);
    const value = (): string => this.text(scope, depth - 1);
    const ask = (): string => this.flag(scope, depth - 1);
    return this.one(
      () => `<p${key}>${inside()}</p>`,
      () => `<b${key} className={${value()}}>${inside()}</b>`,
      () =>
        `<a${key} href={${this.one(...scope.texts, ...scope.optional, value())}} title={${this.one(...scope.optional)}}>${inside()}</a>`,
      () =>
        `<em${key} style={{ color: ${ask()} ? "red" : "blue", ...(${ask()} ? { margin: 4 } : {}) }}>${inside()}</em>`,
      () => `<Box${key} tone={${value()}} flag={${ask()}} opt={${this.one(...scope.optional)}}>${inside()}</Box>`,
      () =>
        `<Card${key} title={${value()}}${this.one("", " wide", ` wide={${ask()}}`, ` id={${this.one(...scope.optional)}}`)} />`,
      () => `<Site${key} {...p} />`,
      () => `<Tone.Provider${key} value={${value()}}><Toned /></Tone.Provider>`,
      () =>
        `<em${key} className={\`\${${ask()} ? "a" : "b"} \${${ask()} ? "c" : "d"} \${${ask()} ? "e" : "f"}\`}>${inside()}</em>`,
      () => `<Line${key} {...${this.one(...scope.items, "{ label: p.name, price: p.count }")}} />`,
      () => `<Text${key} className={${value()}}>${inside()}</Text>`,
    )();
  }

  /** Tests for presence in two comparisons. */
  absence(): string {
    const tested = this.one("p.alias", "p.nick", "p.note", "p.order.memo", "p.shop?.site");
    return this.one(
      `(${tested} !== undefined && ${tested} !== null)`,
      `(${tested} === null || ${tested} === undefined)`,
      `(typeof ${tested} !== "undefined" && ${tested} !== null && ${tested} !== "")`,
      `!(${tested} === void 0 || ${tested} == null)`,
    );
  }

  /** Numbers compared with literals. */
  comparison(scope: Scope): string {
    const [compared, literal] = [
      this.one(...scope.numbers, "p.rank", "p.level", "p.grade"),
      this.one("0", "1", "3", "4.5", "-1", "99"),
    ];
    const operator = this.one("<", "<=", ">", ">=");
    return this.one(`(${compared} ${operator} ${literal})`, `(${literal} ${operator} ${compared})`);
  }

  position(scope: Scope): string {
    if (scope.positions.length === 0) return this.one(...scope.flags);
    const [index, of] = this.one(...scope.positions);
    return `(${this.one(
      `${index} === 0`,
      `${index} > 0`,
      `!${index}`,
      `${index} !== 0`,
      `${index} < 2`,
      `${index} === 1`,
      `${index} === ${of}.length - 1`,
      `${index} < ${of}.length - 1`,
      `${index} + 1 === ${of}.length`,
      `${of}.length - 2 > ${index}`,
      `${index} !== ${of}.length - 1`,
    )})`;
  }

  /** Tests of a whole item of a list. */
  quantified(): string {
    return this.one(
      "each.gift",
      "!each.gift",
      "each.price > 1",
      'each.label === "a"',
      "each.gift || each.price === 3",
      'each.marks.includes("a")',
      "each.hint",
    );
  }

  listOf(scope: Scope, of: string): string {
    return this.one(...scope.lists.filter((each) => each[1] === of))[0];
  }

  list(scope: Scope): string {
    return this.one(...scope.lists)[0];
  }

  literal(): string {
    return JSON.stringify(this.one("a", "b", "Hi", "", "this & that"));
  }
}

function withItem(scope: Scope, name: string): Scope {
  return {
    texts: [...scope.texts, `${name}.label`],
    optional: [...scope.optional, `${name}.hint`],
    numbers: [...scope.numbers, `${name}.price`],
    flags: [...scope.flags, `${name}.gift`],
    lists: [...scope.lists, [`${name}.parts`, "parts"], [`${name}.marks`, "texts"]],
    items: [...scope.items, name],
    positions: scope.positions,
  };
}

function withPart(scope: Scope, name: string): Scope {
  return {
    ...scope,
    texts: [...scope.texts, `${name}.title`, `${name}.label`],
    flags: [...scope.flags, `${name}.big`],
  };
}
