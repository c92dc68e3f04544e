import { describe, expect, test } from "vitest";
import { component, Project } from "./project.js";

const project = await Project.make();

const TEXTS = ["</script><b>", "<SCRIPT", "</sTyle ", "<style>", "style>", "<", "/script", "a & \"b\" 'c'", ""];

const variables = TEXTS.map((name, index) => ({
  name,
  other: TEXTS[(index + 3) % TEXTS.length],
  count: index,
  vip: index % 2 === 0,
  items: TEXTS.slice(0, index).map((each) => ({ name: each })),
  ...(index % 3 > 0 && { note: name }),
}));

describe("in a script or a style sheet, what React prints", () => {
  test.each([
    '<script type="application/ld+json">{JSON.stringify(props)}</script>',
    '<script type="application/ld+json">{JSON.stringify({ "@type": "Order", name: props.name, items: props.items })}</script>',
    '<script>{`{"name": "${props.name}", "count": ${props.count}}`}</script>',
    "<script>{props.name}</script>",
    "<script>{props.note}</script>",
    "<script>{props.count}</script>",
    "<script>{props.vip}</script>",
    "<script>{props.count > 3 && props.name}</script>",
    "<script>{props.vip ? `a(${props.name})` : 'b()'}</script>",
    "<script>{`<${props.name}`}</script>",
    "<script>{`${props.name}${props.other}`}</script>",
    "<script>{`${props.name}ipt>`}</script>",
    "<script>{props.name}{props.other}</script>",
    "<script>{props.items.map(({ name }) => name).join()}</script>",
    "<script dangerouslySetInnerHTML={{ __html: JSON.stringify({ count: props.count, vip: props.vip }) }} />",
    "<style>{`.a { color: ${props.name}; }`}</style>",
    "<style>{`.a { width: ${props.count}px; }`}</style>",
    "<style>{`</${props.name}`}</style>",
    "<style>{props.name}</style>",
    "<style>{props.note}</style>",
    "<style>{props.count}</style>",
    "<style>{props.vip}</style>",
    "<style>{props.items.length}</style>",
    "<style>{props.vip && props.name}</style>",
    "<style>{JSON.parse(JSON.stringify(props)).note}</style>",
    "{props.items.map(({ name }) => <style key={name}>{`.a { color: ${name} }`}</style>)}",
  ])("%s", async (markup) => {
    const compiled = await project.prove(component(markup), {
      fixtures: Object.fromEntries(variables.map((each, index) => [`example-${index}`, each])),
    });
    expect(compiled.diagnostics).toEqual([]);
  });

  test("a list, of which React prints at most one item, is refused", async () => {
    const { diagnostics } = await project.compile(
      component("<style>{props.items.map(({ name }) => `.${name} {}`)}</style>"),
      { fixtures: { one: variables[1] ?? {} } },
    );
    expect(diagnostics[0]?.message).toContain("prints a list in a style sheet");
  });

  test("the rest of a style sheet, and values that can't end it, stay in the template", async () => {
    const { html } = await project.compile(
      component("<style>{`.a { color: ${props.tone}; width: ${props.count}px; content: ${props.name} }`}</style>"),
      {
        schema: {
          type: "object",
          properties: {
            tone: { type: "string", enum: ["red", "blue"] },
            count: { type: "number" },
            name: { type: "string" },
          },
          required: ["tone", "count", "name"],
        },
        fixtures: { one: { tone: "red", count: 1, name: "x" } },
      },
    );
    expect(html).toMatch(
      /^<div><style>\.a \{ color: \{\{\{tone\}\}\}; width: \{\{\{count\}\}\}px; content: \{\{\{name__\w+\}\}\} \}<\/style><\/div>$/,
    );
  });
});
