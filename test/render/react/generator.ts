import type { GeneratorValue } from "fast-check";
import * as fc from "fast-check";
import type { Variables, VariablesSchema } from "../../../src/mustache/variables.js";

/*
 * Components made at random of what is supported: nestings of printing, choices, lists, defaults, functions and own and
 * foreign components; and variables for them.
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
  { label: text, price: number, gift: flag, hint: text, parts: list(object({ title: text, big: flag })) },
  ["hint"],
);

export const SCHEMA = object(
  {
    name: text,
    note: text,
    vip: flag,
    maybe: flag,
    count: number,
    status: text,
    tags: list(text),
    items: list(item),
    order: object({ id: text, total: number, memo: text }, ["memo"]),
    nick: { anyOf: [text, { type: "null" }] },
    shop: object({ name: text, site: text }, ["site"]),
  },
  ["note", "maybe", "shop"],
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

/** What is in scope, by what it is. */
interface Scope {
  readonly texts: readonly string[];
  readonly optional: readonly string[];
  readonly numbers: readonly string[];
  readonly flags: readonly string[];
  readonly lists: readonly (readonly [expression: string, of: "items" | "parts" | "texts"])[];
  /** Items of a list of items. */
  readonly items: readonly string[];
}

const ROOT: Scope = {
  texts: ["p.name", "p.order.id", "p.status"],
  optional: ["p.note", "p.order.memo", "p.order?.memo", "p.nick", "p.shop?.name", "p.shop?.site"],
  numbers: ["p.count", "p.order.total"],
  flags: ["p.vip", "p.maybe"],
  lists: [
    ["p.items", "items"],
    ["p.tags", "texts"],
  ],
  items: [],
};

const PRELUDE = `import { Text } from "@react-email/components";
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
    const asked = (): string => this.flag(scope, depth - 1);
    if (depth <= 0) return this.one(this.literal.bind(this), () => this.one(...scope.texts))();
    return this.one(
      () => this.one(...scope.texts),
      () => this.literal(),
      () => `\`${this.one("x ", "")}\${${deeper()}}-\${${deeper()}}\``,
      () => `(${deeper()} + ${this.literal()} + ${deeper()})`,
      () => `(${this.one(...scope.optional)} ?? ${deeper()})`,
      () => `(${this.one(...scope.optional, ...scope.texts)} || ${deeper()})`,
      () => `(${asked()} ? ${deeper()} : ${deeper()})`,
      () => `\`n=\${${this.one(...scope.numbers)}}\``,
      () => `String(${this.one(...scope.numbers)})`,
      () => `(LABELS[${this.one(...scope.texts)}] ?? "none")`,
      () => `pick(${this.one(...scope.texts)}, ${asked()})`,
      () => `kind(${this.one(...scope.texts)})`,
      () => `[${deeper()}, ${asked()} && "y"].filter(Boolean).join(" ")`,
      () => `[${this.one(...scope.optional)}, ${deeper()}].join("/")`,
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
      () => this.one("(p.note === undefined)", "(p.nick === null)", "!p.shop"),
      () => `(${this.list(scope)}.length ${this.one("> 0", "=== 0", ">= 1")})`,
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
      element,
      () => `{${this.list(scope)}.length > 0 && <ul>${this.loop(scope, depth - 1)}</ul>}`,
      () => `{!${this.list(scope)}.length && ${element()}}`,
      () => `{section(${this.flag(scope, depth - 1)}, ${this.one(...scope.texts)})}`,
    )();
  }

  loop(scope: Scope, depth: number): string {
    const [expression, of] = this.one(...scope.lists);
    this.#names += 1;
    const [name, index] = [`v${this.#names}`, `i${this.#names}`];
    if (of === "texts") return `{${expression}.map((${name}, ${index}) => <i key={${index}}>{${name}}</i>)}`;
    if (of === "parts" && this.one(true, false)) {
      return `{${expression}.map(({ title, big = true }, ${index}) => <u key={${index}}>{big ? title : ${this.text(scope, depth - 1)}}</u>)}`;
    }
    const inner = of === "items" ? withItem(scope, name) : withPart(scope, name);
    const body = this.one(
      () => this.element(inner, depth - 1, ` key={${index}}`),
      () =>
        `{ if (${this.flag(inner, depth - 1)}) return ${this.one("null", this.element(inner, depth - 2))}; return ${this.element(inner, depth - 2)}; }`,
    )();
    return `{${expression}.map((${name}, ${index}) => ${body})}`;
  }

  element(scope: Scope, depth: number, key = ""): string {
    const inside = (): string => this.children(scope, depth - 1);
    const say = (): string => this.text(scope, depth - 1);
    const ask = (): string => this.flag(scope, depth - 1);
    return this.one(
      () => `<p${key}>${inside()}</p>`,
      () => `<b${key} className={${say()}}>${inside()}</b>`,
      () =>
        `<a${key} href={${this.one(...scope.texts, ...scope.optional, say())}} title={${this.one(...scope.optional)}}>${inside()}</a>`,
      () =>
        `<em${key} style={{ color: ${ask()} ? "red" : "blue", ...(${ask()} ? { margin: 4 } : {}) }}>${inside()}</em>`,
      () => `<Box${key} tone={${say()}} flag={${ask()}} opt={${this.one(...scope.optional)}}>${inside()}</Box>`,
      () =>
        `<Card${key} title={${say()}}${this.one("", " wide", ` wide={${ask()}}`, ` id={${this.one(...scope.optional)}}`)} />`,
      () => `<Site${key} {...p} />`,
      () => `<Line${key} {...${this.one(...scope.items, "{ label: p.name, price: p.count }")}} />`,
      () => `<Text${key} className={${say()}}>${inside()}</Text>`,
    )();
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
    lists: [...scope.lists, [`${name}.parts`, "parts"]],
    items: [...scope.items, name],
  };
}

function withPart(scope: Scope, name: string): Scope {
  return { ...scope, texts: [...scope.texts, `${name}.title`], flags: [...scope.flags, `${name}.big`] };
}
