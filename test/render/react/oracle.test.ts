import { describe, expect, test } from "vitest";
import { MissingPeerError } from "../../../src/errors.js";
import type { Variables } from "../../../src/mustache/variables.js";
import { compileReact } from "../../../src/render/react/engine.js";
import { component, Project } from "./project.js";

const project = await Project.make(["react", "react-dom", "date-fns"]);

/**
 * A package, whose code is not rewritten. Its components receive functions, because components that call back template code
 * are only verified as a whole.
 */
async function addPackage(name: string, code: string): Promise<void> {
  await project.add(`node_modules/${name}/package.json`, `{ "name": "${name}", "type": "module", "main": "index.js" }`);
  await project.add(`node_modules/${name}/index.js`, `import { createElement as h } from "react";\n${code}`);
}

describe("output that differs each time is not blamed on a variable", () => {
  test.each(["Math.random()", "performance.now()", "begun"])("%s", async (changing) => {
    const { diagnostics } = await project.prove(
      component(`<p>{props.name} {String(${changing})}</p>`, "const begun = performance.now();"),
      { fixtures: { one: { name: "Ada" } } },
    );
    expect(diagnostics).toMatchObject([
      { rule: "not-reproducible", severity: "error", at: { line: expect.any(Number) } },
    ]);
  });

  test("a year in the same body hides no other difference", async () => {
    await addPackage("hint", `export const Hint = ({ tone }) => h("b", null, tone === "red" ? "Red" : "Other");`);
    const { diagnostics } = await project.prove(
      component(
        `<div><p>{new Date().getFullYear()} is a year, and so is another one, in a text that goes on.</p><Hint of={String} tone={props.tone} /></div>`,
        'import { Hint } from "hint";',
      ),
      { fixtures: { red: { tone: "red" } } },
    );
    expect(diagnostics).toMatchObject([{ rule: "react-oracle" }]);
  });
});

describe("package code that depends on a variable is found", () => {
  test("a comparison, by the fixture that differs", async () => {
    await addPackage("badge", `export const Badge = ({ tone }) => h("b", null, tone === "red" ? "Red" : "Other");`);
    const { diagnostics } = await project.prove(
      component("<Badge of={String} tone={props.tone} />", 'import { Badge } from "badge";'),
      {
        fixtures: { red: { tone: "red" } },
      },
    );
    expect(diagnostics).toMatchObject([{ rule: "react-oracle", severity: "error" }]);
    expect(diagnostics[0]?.message).toMatch(
      /^With the fixture "red", because of tone, React renders `.*<b>Red<\/b><\/div>`, .* `.*<b>Other<\/b><\/div>`\.$/,
    );
  });

  test("a number that it compares, and not the text that is printed after it", async () => {
    await addPackage("edge", `export const Edge = ({ by, children }) => h("b", by > 2 ? { id: by } : null, children);`);
    const { diagnostics } = await project.prove(
      component("<Edge of={String} by={`${props.by}`}>{props.text}</Edge>", 'import { Edge } from "edge";'),
      { fixtures: { one: { text: "Ann", by: 3 } } },
    );
    expect(diagnostics[0]?.message).toMatch(/^With the fixture "one", because of by, React renders/);
  });

  test("a truthiness, by a variation of the fixture", async () => {
    await addPackage(
      "notice",
      `export const Notice = ({ list }) => list ? h("p", null, "Some") : h("p", null, "None");`,
    );
    const { diagnostics } = await project.prove(
      component("<Notice of={String} list={props.list.length} />", 'import { Notice } from "notice";'),
      {
        fixtures: { one: { list: ["a"] } },
      },
    );
    expect(diagnostics[0]?.message).toMatch(
      'With the fixture "one", with every list empty, because of list ([]), React renders',
    );
  });

  test("arithmetic, by the conversion to a number", async () => {
    await addPackage("bar", `export const Bar = ({ percent }) => h("p", { style: { width: percent * 2 } });`);
    const { diagnostics } = await project.prove(
      component("<Bar of={String} percent={props.percent} />", 'import { Bar } from "bar";'),
      {
        fixtures: { one: { percent: 10 } },
      },
    );
    expect(diagnostics).toMatchObject([{ rule: "react-unsupported", at: { line: 3, column: 41 } }]);
    expect(diagnostics[0]?.message).toMatch("`props.percent` is used as a number by package code");
  });

  test("a string that it splits", async () => {
    await addPackage("teaser", `export const Teaser = ({ children }) => h("p", null, children.slice(0, 2));`);
    const { diagnostics } = await project.prove(
      component("<Teaser of={String}>{props.text}</Teaser>", 'import { Teaser } from "teaser";'),
      {
        fixtures: { one: { text: "Hello" } },
      },
    );
    expect(diagnostics).toMatchObject([{ rule: "react-unsupported", at: { line: 3, column: 36 } }]);
    expect(diagnostics[0]?.message).toMatch("`props.text` is split by package code, so that variables in it are lost");
  });

  test("but no difference in the spaces around a style's value, which React trims", async () => {
    const markup = "<p style={{ color: props.tone, margin: 0 }}>{props.tone}</p>";
    const { diagnostics } = await project.prove(component(markup), { fixtures: { one: { tone: " red " } } });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  test("a choice passed to a package component surrounds the component", async () => {
    await addPackage("badge-of", `export const Badge = ({ tone }) => h("b", null, tone === "red" ? "Red" : "Other");`);
    const markup = '<Badge of={String} tone={props.late ? "red" : "blue"} />';
    const { html, diagnostics } = await project.prove(component(markup, 'import { Badge } from "badge-of";'), {
      fixtures: { late: { late: true }, early: { late: false } },
    });
    expect(diagnostics).toEqual([]);
    expect(html).toBe("<div><b>{{#late}}Red{{/late}}{{^late}}Other{{/late}}</b></div>");
  });

  test("a function that receives choices is called for each case", async () => {
    await addPackage("classes", `export const cx = (...names) => names.filter(Boolean).join(" ");`);
    const { html, diagnostics } = await project.prove(
      component('<p className={cx("a", props.late && "b")} />', 'import { cx } from "classes";'),
      { fixtures: { late: { late: true }, early: { late: false } } },
    );
    expect(diagnostics).toEqual([]);
    expect(html).toBe('<div><p class="{{#late}}a b{{/late}}{{^late}}a{{/late}}"></p></div>');
  });
});

describe("variations of a fixture find differences that no fixture shows, with their position", () => {
  test.each([
    [
      "a string with which the body also compares",
      "<Tone of={String} tone={props.tone} />{props.tone === 'red' && '!'}",
      { tone: "x" },
    ],
    [
      "a number on the other side of a limit",
      "<Count of={String} count={`${props.count}`} />{props.count > 7 && '!'}",
      { count: 3 },
    ],
    ["a list of three items", "{props.list.length > 1 && '!'}<Many of={String}>{props.list}</Many>", { list: ["a"] }],
    ["a long string", "<Teaser of={String}>{props.text}</Teaser>", { text: "Hi" }],
  ])("%s", async (_name, markup, variables) => {
    await addPackage(
      "deciding",
      `import { Children } from "react";
      export const Tone = ({ tone }) => h("b", null, tone === "red" || tone === undefined ? "Red" : "Other");
      export const Count = ({ count }) => h("b", null, count === "8" ? "Eight" : "Other");
      export const Many = ({ children }) => h("b", null, Children.count(children) > 2 ? "Many" : "Few");
      export const Teaser = ({ children }) => h("b", null, children.length > 100 ? "Long" : "Short");`,
    );
    const source = component(
      `\n  <p>{props.first}</p>\n  ${markup}`,
      'import { Count, Many, Teaser, Tone } from "deciding";',
    );
    const { diagnostics } = await project.prove(source, { fixtures: { one: { first: "a", ...variables } } });
    expect(diagnostics).toMatchObject([{ rule: "react-oracle", at: { line: 5 } }]);
  });
});

describe("a wrong computed value is found, with the variable and its value", () => {
  const METHOD = (name: string) => `"name":"${name}"`;
  const ITEMS = [{ name: "Tea", price: 5 }];

  test.each<[markup: string, fixture: Variables, spoil: readonly [string, string], message: string]>([
    [
      "{props.cents / 100 > 50 && 'Thanks'}",
      { cents: 1999 },
      ['"operator":">"', '"operator":">="'],
      "because of cents (5000), React renders",
    ],
    ["{Math.abs(props.cents)}", { cents: 5 }, [METHOD("Math.abs"), METHOD("Math.ceil")], "because of cents ("],
    ["{Math.round(props.rate)}", { rate: 2 }, [METHOD("Math.round"), METHOD("Math.floor")], "because of rate ("],
    ["{props.name.trim()}!", { name: "Ada" }, [METHOD("trim"), METHOD("toString")], 'because of name ("  Ada '],
    [
      "{props.status.replaceAll('_', ' ')}",
      { status: "paid" },
      [METHOD("replaceAll"), METHOD("replace")],
      'because of status ("_x_")',
    ],
    [
      "{props.items.filter((item) => item.price > 3).map((item) => <b key={item.name}>{item.name}</b>)}",
      { items: ITEMS },
      ['"operator":">"', '"operator":">="'],
      '"price":3}]), React renders',
    ],
    [
      "{[...props.items].sort((a, b) => b.price - a.price).map((item) => <b key={item.name}>{item.price}</b>)}",
      { items: ITEMS },
      ['"operator":"-"', '"operator":"+"'],
      "because of items (",
    ],
    [
      "{new Date(props.at).toLocaleDateString()}",
      { at: "2026-03-14T09:30:00.000Z" },
      [
        '"args":[]}}',
        '"args":[{"kind":"name","name":"undefined"},{"kind":"object","members":[["weekday",{"kind":"value","value":"short"}]]}]}}',
      ],
      'With the fixture "one", ',
    ],
  ])("%s", async (markup, fixture, spoil, message) => {
    const source = component(`\n  <p />\n  ${markup}`);
    expect((await project.prove(source, { fixtures: { one: fixture } })).diagnostics).toEqual([]);
    const { diagnostics } = await project.prove(source, { fixtures: { one: fixture }, spoil });
    expect(diagnostics).toMatchObject([{ rule: "react-oracle", severity: "error", at: { line: 5 } }]);
    expect(diagnostics[0]?.message).toContain(message);
  });
});

describe("in other places", () => {
  const BEFORE = `import { format } from "date-fns";
const euros = new Intl.NumberFormat(undefined, { style: "currency", currency: "EUR" });
const loaded = (1234.5).toLocaleString();`;

  test.each([
    "{euros.format(props.cents / 100)}, {(props.cents / 100).toLocaleString()}",
    "{loaded} {props.cents + 1}",
    "{new Date(props.at).toLocaleString()} {new Date(props.at).getHours()}",
    '{format(new Date(props.at), "d MMM HH:mm")}',
    "{new Date(2024, 1, props.cents).toLocaleDateString(undefined, { dateStyle: 'full' })}",
  ])("%s is computed as React does", async (markup) => {
    const { diagnostics } = await project.prove(component(`<p>${markup}</p>`, BEFORE), {
      fixtures: { one: { cents: 1999, at: "2026-03-14T09:30:00.000Z" } },
    });
    expect(diagnostics).toEqual([]);
  });

  test("a time zone that is left out is found by dates around midnight", async () => {
    const { diagnostics } = await project.prove(component("<p>{new Date(props.at).getDate()}</p>"), {
      fixtures: { one: { at: "2026-03-14T09:30:00.000Z" } },
      spoil: ['"name":"getDate"', '"name":"getUTCDate"'],
    });
    expect(diagnostics).toMatchObject([{ rule: "react-oracle", at: { line: 3 } }]);
    expect(diagnostics[0]?.message).toMatch(
      / in the locale \S+ and the time zone \S+, because of at \(".*"\), React renders /,
    );
  });

  test("a warning says what the locale of the project is left in", async () => {
    const markup = '<p>{format(new Date("2024-02-03T20:00:00Z"), "d MMM")} {props.cents + 1}</p>';
    const { diagnostics } = await project.prove(component(markup, BEFORE), { fixtures: { one: { cents: 1 } } });
    expect(diagnostics).toMatchObject([{ rule: "react-oracle", severity: "warning" }]);
    expect(diagnostics[0]?.message).toMatch(
      'With the fixture "one", unchanged in ja-JP, in the locale ja-JP and the time zone Asia/Kathmandu, React renders',
    );
  });
});

test("made-up values for which computing takes too much are not tried", async () => {
  const { diagnostics } = await project.prove(component("<p>{'★'.repeat(props.stars * 1000)}</p>"), {
    fixtures: { one: { stars: 2 } },
  });
  expect(diagnostics).toEqual([]);
});

test("a difference that only an additional item shows is found while compiling", async () => {
  await addPackage("pair", `export const Pair = ({ count }) => h("b", null, count === 2 ? "Pair" : "Other");`);
  const markup = "<Pair of={String} count={props.items.length} />{props.items.map((item) => <p key={item}>{item}</p>)}";
  const { diagnostics } = await project.prove(component(markup, 'import { Pair } from "pair";'), {
    fixtures: { one: { items: ["A"] } },
  });
  expect(diagnostics).toMatchObject([{ rule: "react-oracle", severity: "error" }]);
  expect(diagnostics[0]?.message).toMatch(
    /^With the fixture "one", with one item more in every list, because of items \(\["A","A"\]\), React renders /,
  );
});

describe("fixtures", () => {
  test("are required for a template with variables", async () => {
    const { diagnostics } = await project.prove(component("{props.name}"));
    expect(diagnostics).toMatchObject([{ rule: "react-fixture", severity: "error" }]);
    expect(diagnostics[0]?.hint).toBe(
      'Add fixtures/default.json with an example of its variables, such as {"name":"name"}, or add PreviewProps.',
    );
  });

  test("a name that is too long to be read is not an example in a hint", async () => {
    const many = Array.from({ length: 40 }, (_, index) => `{props.name${index}}`).join(" ");
    const { diagnostics } = await project.prove(component(`<p>${many}</p>`));
    expect(diagnostics[0]?.hint).toBe(
      "Add fixtures/default.json with an example of its variables, or add PreviewProps.",
    );
  });

  test("are not required for a template without variables", async () => {
    expect((await project.prove(component("Hello"))).diagnostics).toEqual([]);
  });

  test("may contain braces, which are not tags", async () => {
    const { diagnostics } = await project.prove(component("{props.name} {'{{name}}'}"), {
      fixtures: { braces: { name: "{{other}} & {{{more}}}" } },
    });
    expect(diagnostics).toEqual([]);
  });

  test("are named if the component throws with one of them", async () => {
    const check = "const check = (name) => { if (name === 'bad') throw new Error('Bad name'); return name; };";
    const { diagnostics, html } = await project.prove(component("{check(props.name)}", check), {
      fixtures: { good: { name: "good" }, bad: { name: "bad" } },
    });
    expect(html).toBe("<div>{{^name__is_bad}}{{name}}{{/name__is_bad}}</div>");
    expect(diagnostics).toMatchObject([
      { rule: "react-component", message: 'With the fixture "bad", the component throws: Bad name', at: { line: 1 } },
    ]);
  });
});

test("if React is missing, its packages and the template are named", async () => {
  const bare = await Project.make([]);
  const template = await bare.template(component("x"));
  const error: unknown = await compileReact(template, bare.context, async () => undefined).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(MissingPeerError);
  expect(error).toMatchObject({
    packages: ["react", "react-dom"],
    message: expect.stringContaining(`"${template.name}"`),
  });
});
