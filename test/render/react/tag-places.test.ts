import { describe, expect, test } from "vitest";
import { positionAt } from "../../../src/text/position.js";
import { Project } from "./project.js";

const project = await Project.make();

/** The position of each tag of a component, as the source from there to the end of the line. */
async function places(source: string, fixture: Readonly<Record<string, unknown>>): Promise<Record<string, string>> {
  const { output } = await project.compile(source, { fixtures: { one: fixture } });
  expect(output.diagnostics).toEqual([]);
  const lines = source.split("\n");
  return Object.fromEntries(
    output.tags.map(({ text, at }) => [text, lines[(at?.line ?? 0) - 1]?.slice((at?.column ?? 1) - 1) ?? "nowhere"]),
  );
}

describe("every tag of a component has a position", () => {
  test("HTML that is printed raw", async () => {
    const source = `import { raw } from "lettershop/react";
export default function Email({ note }) {
  return <div
    dangerouslySetInnerHTML={raw(note)} />;
}`;
    expect(await places(source, { note: "a" })).toEqual({ "{{{note}}}": expect.stringMatching(/^(?:raw\(|note\))/) });
  });

  test("a value of a style", async () => {
    const source = `export default function Email({ meter }) {
  return <p>
    <b style={{ color: meter.label }}>a</b></p>;
}`;
    expect(await places(source, { meter: { label: "red" } })).toEqual({
      "{{meter.label}}": expect.stringMatching(/^(?:<b style|meter\.label)/),
    });
  });

  test("a boolean that is passed to a component in another file", async () => {
    const source = `import { If } from "lettershop/react";
function Frame({ children }) {
  return <div>{children}</div>;
}
export default function Email({ blocked }) {
  return <Frame><If
    test={blocked} otherwise={<p>Open</p>}><p>Shut</p></If></Frame>;
}`;
    expect(await places(source, { blocked: true })).toMatchObject({
      "{{#blocked}}": expect.stringContaining("blocked}"),
    });
  });

  test("a variable that a component in another file prints, where it is passed", async () => {
    const source = `import { Row } from "./row.js";
export default function Email({ fare, fees: { total } }) {
  return <table><tbody><Row label={fare.name}>{fare.price}</Row>
    <Row label={total}><b>{fare.price}</b></Row></tbody></table>;
}`;
    const row = "export const Row = ({ label, children }) => <tr><td>{label}</td><td>{children}</td></tr>;\n";
    await project.add("templates/row.js", row);
    expect(await places(source, { fare: { name: "a", price: "b" }, fees: { total: "c" } })).toEqual({
      "{{fare.name}}": "name}>{fare.price}</Row>",
      "{{fare.price}}": "fare.price}</b></Row></tbody></table>;",
      "{{fees.total}}": "total}><b>{fare.price}</b></Row></tbody></table>;",
    });
  });

  test("a tag that a component writes itself, in its subject, too", async () => {
    const source = `export const subject =
  "Hello {{name}}";
export default function Email({ id }) {
  return <p>{id} {"{{other}}"}</p>;
}`;
    expect(await places(source, { id: "a", name: "b", other: "c" })).toMatchObject({
      "{{name}}": '{{name}}";',
      "{{other}}": '{{other}}"}</p>;',
    });
  });
});

describe("a refusal has a position", () => {
  test("a list that is printed where another component shows it", async () => {
    const source = `import { If } from "lettershop/react";
function Frame({ children }) {
  return <div>{children}</div>;
}
export default function Email({ items, open }) {
  return <Frame><If test={open} otherwise={<p>
    {items}</p>}>a</If></Frame>;
}`;
    const { diagnostics } = await project.compile(source, { fixtures: { one: { items: [{ a: "b" }], open: true } } });
    const at = positionAt(source, source.indexOf("items}</p>"));
    expect(diagnostics).toMatchObject([{ rule: "react-unsupported", at }]);
  });
});
