import { describe, expect, test } from "vitest";
import { component, Project } from "./project.js";

const project = await Project.make();

/** The markup of a component, and what it is compiled to. */
async function compiled(markup: string, ...examples: readonly Record<string, unknown>[]) {
  const fixtures = Object.fromEntries(examples.map((example, index) => [`example-${index}`, example]));
  const { html, diagnostics } = await project.prove(component(markup), { fixtures });
  return { html, rules: diagnostics.map(({ rule }) => rule) };
}

describe("strings made from values that may be missing", () => {
  test("print the word null for a value that is never absent", async () => {
    const schema = { type: "object", properties: { name: { anyOf: [{ type: "string" }, { type: "null" }] } } } as const;
    const { html, diagnostics } = await project.prove(component("{`a ${props.name}`}"), {
      fixtures: { none: { name: null }, ann: { name: "Ann" } },
      schema: { ...schema, required: ["name"] },
    });
    expect(html).toBe(
      "<div>a {{#name__is_present}}{{name}}{{/name__is_present}}{{^name__is_present}}null{{/name__is_present}}</div>",
    );
    expect(diagnostics).toMatchObject([{ rule: "react-undefined", severity: "warning", at: { line: 3 } }]);
  });

  test("print the right word for a variable of unknown type", async () => {
    const { html, rules } = await compiled("{`Hi ${props.name}`}", { name: "Ann" }, { name: null }, {});
    expect(html).toContain("{{#name__is_null}}null{{/name__is_null}}{{^name__is_null}}undefined{{/name__is_null}}");
    expect(rules).toEqual(["react-undefined", "react-undefined"]);
  });

  test("print no word inside a condition on the value, or on one of its members", async () => {
    const place = { city: "Bern", country: "CH" };
    const { html, rules } = await compiled(
      "{props.place?.city ? `${props.place.city}, ${props.place.country}` : 'none'}",
      { place },
      {},
      { place: { country: "CH" } },
    );
    expect(html).toContain("{{#place_city__is_truthy}}{{place.city}}, {{place.country}}{{/place_city__is_truthy}}");
    expect(rules).toEqual([]);
  });

  test("of a case print the word only if the case's own members are absent", async () => {
    const { html, rules } = await compiled(
      "{(() => { switch (props.type) { case 'up': return `To ${props.to}`; default: return 'Left'; } })()}",
      { type: "up", to: "Pro" },
      { type: "end" },
    );
    expect(html).toContain("{{^to__is_present}}undefined{{/to__is_present}}");
    expect(rules).toEqual(["react-undefined"]);
  });

  test("are joined without the word", async () => {
    const { html, rules } = await compiled(
      '{[props.title || props.items[0]?.name, "x"].join("-")}',
      { title: "", items: [] },
      { title: "A", items: [{ name: "B" }] },
    );
    expect(html).not.toContain("undefined");
    expect(rules).toEqual([]);
  });

  test("print no word where JavaScript would throw", async () => {
    const fixtures = { one: { count: 1 }, none: {} };
    const { html, diagnostics } = await project.compile(component("{props.count.toString()}!"), { fixtures });
    expect(html).toBe("<div>{{count}}!</div>");
    expect(diagnostics).toEqual([]);
  });

  test("a value whose truthiness is tested may be absent elsewhere, too", async () => {
    const { html } = await compiled(
      "<p>{props.place?.city || 'none'}</p><p title={props.place?.city}>{`${props.place?.city}`}</p>",
      { place: { city: "Bern" } },
      {},
    );
    expect(html).toContain('{{#place_city__is_present}}<p title="{{place.city}}">{{place.city}}</p>');
  });

  test("a member with a default may be missing in an object, whatever the examples show", async () => {
    const { html } = await compiled("{props.place?.city ?? 'none'}", { place: { city: "Bern" } }, {});
    expect(html).toBe(
      "<div>{{#place_city__is_present}}{{place.city}}{{/place_city__is_present}}{{^place_city__is_present}}none{{/place_city__is_present}}</div>",
    );
    const { html: second } = await compiled("{props.places.map((place) => place.city ?? place.land?.name ?? 'none')}", {
      places: [{ city: "Bern", land: { name: "CH" } }, { city: "Rom" }],
    });
    expect(second).toContain(
      "{{^city__is_present}}{{#land_name__is_present}}{{land.name}}{{/land_name__is_present}}{{^land_name__is_present}}none",
    );
  });
});

describe("lists", () => {
  test("that are null in each example are iterated", async () => {
    const { html, rules } = await compiled("{props.items?.map((item) => <b>{item.name}</b>)}", { items: null });
    expect(html).toBe("<div>{{#items}}<b>{{name}}</b>{{/items}}</div>");
    expect(rules).toEqual([]);
  });

  test("lose falsy items in .filter(Boolean)", async () => {
    const { html, rules } = await compiled(
      "{props.items.map((item) => item.on && <b>{item.name}</b>).filter(Boolean)}",
      {
        items: [
          { on: true, name: "A" },
          { on: false, name: "B" },
        ],
      },
    );
    expect(html).toContain("{{#items}}{{#on}}<b>{{name}}</b>{{/on}}{{/items}}");
    expect(rules).toEqual([]);
  });
});

test("a subject that is a promise is awaited", async () => {
  const source = `const of = async (name) => \`For \${name}\`;
export const subject = async (props) => (await of(props.name)) + "!";
export default (props) => <p>{props.name}</p>;`;
  const { subject, diagnostics } = await project.prove(source, { fixtures: { example: { name: "Ada" } } });
  expect(diagnostics).toEqual([]);
  expect(subject).toBe("For {{{name}}}!");
});

test("the conditions of a subject that would be too long get short names", async () => {
  const choice = (name: string): string =>
    `\${props.${name} ? \`\${props.${name}} is it\` : "nobody knows whether it is it"}`;
  const source = `export const subject = (props) => \`${choice("firstVariable")}, ${choice("secondVariable")}, ${choice("thirdVariable")}\`;
export default (props) => <p>{props.firstVariable}</p>;`;
  const example = { firstVariable: "a", secondVariable: "b", thirdVariable: "c" };
  const { subject, output } = await project.prove(source, { fixtures: { example } });
  expect(subject).toMatch(/^\{\{#__1\}\}\{\{\{firstVariable\}\}\}\{\{\/__1\}\}\{\{\^__1\}\}nobody/);
  expect(output.conditions?.map(({ path }) => path)).toEqual(["firstVariable", "secondVariable", "thirdVariable"]);
});

test("a document is rendered for each of many early returns", async () => {
  const source = `const WORDS = { new: "New", open: "Open", done: "Done" };
export default function Email({ count, vip, status }) {
  if ((count ?? 0) === 2 ? vip : !!WORDS[status]) return <html><body>A</body></html>;
  return <html><body>B</body></html>;
}`;
  const fixtures = { a: { count: 2, vip: true, status: "new" }, b: { vip: false, status: "x" } };
  const { html, diagnostics } = await project.prove(source, { fixtures });
  expect(diagnostics).toEqual([]);
  expect(html.match(/<html>/g)).toHaveLength(1);
});
