import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { Each, If, raw, Unless } from "../../src/react/index.js";
import { component, Project } from "../render/react/project.js";

describe("with real values", () => {
  test("If and Unless treat a value as JavaScript does", () => {
    const markup = renderToStaticMarkup(
      <>
        <If test="a">1</If>
        <If test={0}>2</If>
        <If test="" otherwise="3">
          4
        </If>
        <Unless test={undefined}>5</Unless>
        <Unless test={[]} otherwise="6">
          7
        </Unless>
      </>,
    );
    expect(markup).toBe("1356");
  });

  test("Each shows every item, and nothing for an absent list", () => {
    const items = [{ name: "a" }, { name: "b" }];
    expect(renderToStaticMarkup(<Each of={items}>{(item, index) => <i key={index}>{item.name}</i>}</Each>)).toBe(
      "<i>a</i><i>b</i>",
    );
    expect(renderToStaticMarkup(<Each of={undefined}>{() => <i />}</Each>)).toBe("");
  });

  test("raw is not escaped", () => {
    expect(renderToStaticMarkup(<div dangerouslySetInnerHTML={raw("<b>x</b>")} />)).toBe("<div><b>x</b></div>");
  });
});

describe("while a template is compiled", async () => {
  const project = await Project.make();
  const FIXTURES = {
    full: { note: "n", body: "<b>x</b>", count: 2, items: [{ name: "a" }] },
    empty: { note: "", body: "", count: 0, items: [] },
  };
  const cases: Readonly<Record<string, string>> = {
    '<If test={props.note} otherwise="no">{props.note}</If>':
      "{{#note__is_truthy}}{{note}}{{/note__is_truthy}}{{^note__is_truthy}}no{{/note__is_truthy}}",
    "<Unless test={props.count}>none</Unless>": "{{^count__is_truthy}}none{{/count__is_truthy}}",
    "<If test={props.items.length > 0}>some</If>": "{{#items__has_items}}some{{/items__has_items}}",
    "<Each of={props.items}>{(item, index) => <i key={index}>{item.name}</i>}</Each>":
      "{{#items}}<i>{{name}}</i>{{/items}}",
    "<p dangerouslySetInnerHTML={raw(props.body)} />": "<p>{{{body}}}</p>",
  };

  test.each(Object.entries(cases))("%s", async (markup, expected) => {
    const source = component(markup, 'import { Each, If, raw, Unless } from "lettershop/react";');
    const { html, diagnostics } = await project.prove(source, { fixtures: FIXTURES });
    expect(diagnostics).toEqual([]);
    expect(html).toBe(`<div>${expected}</div>`);
  });
});
