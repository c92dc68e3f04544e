import { expect, test } from "vitest";
import type { Variables } from "../../../src/mustache/variables.js";
import { component, Project } from "./project.js";

const project = await Project.make();

/** What a component is compiled to, and the rules that find something in it. */
async function compiled(source: string, ...examples: readonly Variables[]) {
  const fixtures = Object.fromEntries(examples.map((example, index) => [`example-${index}`, example]));
  const { html, diagnostics } = await project.prove(source, { fixtures });
  return { html, rules: diagnostics.map(({ rule }) => rule) };
}

test("a variable of each item may be its inner html", async () => {
  const examples = [{ notes: [{ html: "<b>x</b> & y" }, { html: "z" }] }];
  for (const list of [
    "{props.notes.map((n) => <p dangerouslySetInnerHTML={{ __html: n.html }} />)}",
    "{props.notes.map((n) => { const __html = n.html; return <p dangerouslySetInnerHTML={{ __html }} />; })}",
  ]) {
    const html = "<div>{{#notes}}<p>{{{html}}}</p>{{/notes}}</div>";
    expect(await compiled(component(list), ...examples)).toEqual({ html, rules: [] });
  }
});
