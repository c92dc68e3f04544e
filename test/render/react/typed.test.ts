import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { renderMustache } from "../../../src/mustache/fill.js";
import { completeVariables } from "../../../src/mustache/complete.js";
import { typeInWords } from "../../../src/registry/print-type.js";
import { compileAll } from "../../../src/render/compile.js";
import { isAffected, dependenciesOf } from "../../../src/render/dependencies.js";
import type { Variables } from "../../../src/mustache/variables.js";
import type { CompileResult } from "../../../src/project/template.js";
import { compiledOf, type Files, places, useProjects } from "../project.js";

const projects = useProjects();

/** A component with a type and a body, and its fixtures. */
function files(type: string, body: string, fixtures: readonly Variables[], more: Files = {}): Files {
  return {
    "a/a.tsx": `${type}\nexport default function Email(props: Props) { ${body} }`,
    "a/template.json": '{ "subject": "Hi" }',
    ...Object.fromEntries(fixtures.map((each, index) => [`a/fixtures/f${index}.json`, JSON.stringify(each)])),
    ...more,
  };
}

function html(result: CompileResult, variables: Variables): string {
  const { contract, html_body } = compiledOf(result);
  const filled = renderMustache(html_body, completeVariables(contract, variables), { escape: "html" });
  return /<p>(.*)<\/p>/.exec(filled)?.[1] ?? filled;
}

function errors({ diagnostics }: CompileResult): string[] {
  return diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
}

describe("a component whose props have a type", () => {
  test("has the type's variables in its contract, and infers those that only other bodies' tags use", async () => {
    const result = await projects.compileOne(
      files(
        'type Props = { user?: { name?: string }; kind: "a" | "b"; level: number | null; shop: Unknown; fn: () => void };',
        'return <p>{props.user?.name ?? "you"}{props.shop.name}</p>;',
        [{ kind: "a", level: null, shop: { name: "S" }, year: 7 }],
        { "a/template.json": '{ "subject": "{{year}} {{user.title}}" }' },
      ),
    );
    expect(typeInWords(compiledOf(result).contract.input)).toBe(
      '{ user?: { name?: string | undefined; title: string; } | undefined; kind: "a" | "b"; level: number | null; shop: { name: string; }; year: number; }',
    );
  });

  test.each<[body: string, compiled: string]>([
    ["if (!props.name) throw new Error('A name is required.'); return <p>Dear {props.name}</p>;", "Dear {{name}}"],
    ["if (!props.note) { throw new Error('A note is required.'); } return <p>{props.note}</p>;", "{{note}}"],
    [
      "if (props.items.length === 0) throw new TypeError(`No items for ${props.name}`); return <p>{props.items.map((item) => <b>{item}</b>)}</p>;",
      "{{#items}}<b>{{.}}</b>{{/items}}",
    ],
    ["return <p><Note note={props.note} /></p>;", "<b>{{note}}</b>"],
    [
      "if (!props.note && !props.name) throw new Error('Nothing to say.'); if (props.items.length > 3) throw new Error('Too many.'); return <p>{props.name}</p>;",
      "{{name}}",
    ],
    ["if (!props.order) return null; return <p>{props.order.number}</p>;", "{{order.number}}"],
    ["if (!props.items || !props.order) return <></>; return <p>{props.order.number}</p>;", "{{order.number}}"],
    ["if (!props.at || !props.status) return <></>; return <p>{props.status}</p>;", "{{status}}"],
    ["if (!props) return null; return <p>{props.order && props.order.number}</p>;", "{{order.number}}"],
  ])("is an email where it neither throws nor returns nothing: %s", async (body, compiled) => {
    const type = `const Note = ({ note }: { note?: string }) => { if (!note) throw new Error("No note."); return <b>{note}</b>; };
interface Props { name: string; note?: string; order: { number: string }; items: string[]; at: Date; status: "new" | "paid" }`;
    const props = { name: "Ada", note: "Hi", order: { number: "7" }, at: "2026-01-02T03:04:05Z", status: "new" };
    const inDocument = body.replaceAll("<p>", "<html><body><p>").replaceAll("</p>", "</p></body></html>");
    const fixtures = [
      { ...props, items: ["tea"] },
      { ...props, items: ["a", "b"] },
    ];
    const result = await projects.compileOne(files(type, inDocument, fixtures));
    expect(errors(result)).toEqual([]);
    expect(/<p>(.*)<\/p>/.exec(compiledOf(result).html_body)?.[1]).toBe(compiled);
  });

  test("decides by what may be missing whether there is an email, which is refused", async () => {
    const body = "if (!props.order) return null; return <html><body><p>{props.order.number}</p></body></html>;";
    const fixtures = [{ order: { number: "7" } }];
    const result = await projects.compileOne(files("type Props = { order?: { number: string } };", body, fixtures));
    expect(errors(result)).toEqual([
      expect.stringContaining("`!props.order` decides whether there is an email at all"),
    ]);
  });

  test.each<[body: string, fixtures: readonly Variables[], rendered: readonly string[]]>([
    ['const { name = "x" } = props; return <p>{name}</p>;', [{ name: "Ann" }, { name: null }, {}], ["Ann", "x", "x"]],
    ['return <p>{props.user?.name ?? "x"}</p>;', [{ user: { name: "Ann" } }, {}, { user: {} }], ["Ann", "x", "x"]],
    ['return <p>{props.user?.nick ?? props.user?.name ?? "x"}</p>;', [{ user: { name: "Ann" } }, {}], ["Ann", "x"]],
    ["return <p>{props.list?.length ?? 0}</p>;", [{ list: ["a"] }, { list: null }], ["1", "0"]],
    ['return <p>{props.level === null ? "none" : props.level}</p>;', [{ level: null }, { level: 3 }], ["none", "3"]],
    [
      'return <p>{props.name === null ? "never" : "x"}{props.level === undefined && "never"}</p>;',
      [{ level: 1 }],
      ["x"],
    ],
    ['return <p>{props.name === undefined ? "none" : props.name}</p>;', [{ name: null }, { name: "A" }], ["none", "A"]],
  ])("compiles to what React renders: %s", async (body, fixtures, rendered) => {
    const type =
      "interface Props { name?: string; user?: { name?: string; nick?: string }; list?: string[]; level: number | null }";
    const given = fixtures.map((fixture) => ({ level: null, ...fixture }));
    const result = await projects.compileOne(files(type, body, given));
    expect(errors(result)).toEqual([]);
    expect(given.map((fixture) => html(result, fixture))).toEqual(rendered);
  });

  test.each<[body: string, given: string, whenNull: string, whenAbsent: string]>([
    ['const { name = "x" } = props; return <p>{name}</p>;', "&lt;A&gt;", "", "x"],
    [
      'const { name = "x" } = props; return <p>{name ?? "null"}{`${name}`}</p>;',
      "&lt;A&gt;&lt;A&gt;",
      "nullnull",
      "xx",
    ],
    ['const { user: { name = "x" } = {} } = props; return <p>{name}</p>;', "&lt;A&gt;", "", "x"],
    ["const { list = ['x'] } = props; return <p>{list?.map((each) => <b>{each}</b>)}</p>;", "<b>a</b>", "", "<b>x</b>"],
    ["return <p>{props.items.map(({ note = 'x' }) => <b>{note}</b>)}</p>;", "<b>n</b>", "<b></b>", "<b>x</b>"],
    ["const [first = 'x'] = props.notes; return <p>{first}</p>;", "a", "", "x"],
    ["const asked = (of = props.notes) => of[0] === undefined; return <p>{asked() ? 'x' : 'y'}</p>;", "y", "y", "x"],
    ["return <p>{props.name === null ? 'null' : props.name === undefined ? 'x' : 'y'}</p>;", "y", "null", "x"],
    ["return <p>{typeof props.name}</p>;", "string", "object", "undefined"],
    ["return <p>{`${props.name}`}</p>;", "&lt;A&gt;", "null", "undefined"],
    ["return <p>{props.on === null ? 'null' : props.on === undefined ? 'x' : 'y'}</p>;", "y", "null", "x"],
    ["return <p>{typeof props.on} {props.on ? 'on' : 'off'}</p>;", "boolean on", "object off", "undefined off"],
    ["return <p>{props.count < 3 ? 'few' : 'x'}</p>;", "x", "few", "x"],
    ["return <p>{props.items.some(({ note }) => note == null) ? 'x' : 'y'}</p>;", "y", "x", "x"],
  ])("distinguishes null from absent if its type allows both: %s", async (body, ...rendered) => {
    const type = `interface Props { name?: string | null; user?: { name?: string | null }; list?: string[] | null;
      items: { note?: string | null }[]; notes: (string | null)[]; count?: number | null; note: string; on?: boolean | null }`;
    const given = [
      {
        name: "<A>",
        user: { name: "<A>" },
        list: ["a"],
        items: [{ note: "n" }],
        notes: ["a"],
        count: 5,
        note: "outer",
        on: true,
      },
      {
        on: null,
        name: null,
        user: { name: null },
        list: null,
        items: [{ note: null }],
        notes: [null],
        count: null,
        note: "outer",
      },
      { user: {}, items: [{}], notes: [], note: "outer" },
    ];
    const result = await projects.compileOne(files(type, body, given));
    expect(errors(result)).toEqual([]);
    expect(given.map((fixture) => html(result, fixture))).toEqual(rendered);
  });

  test("distinguishes null from absent in the items of a list", async () => {
    const type = "interface Props { items: { note?: string | null }[] }";
    const body = "return <p>{props.items.some(({ note }) => note === null) ? 'x' : 'y'}</p>;";
    const fixtures = [{ items: [{ note: "n" }, {}] }, { items: [{ note: null }] }];
    const result = await projects.compileOne(files(type, body, fixtures));
    expect(errors(result)).toEqual([]);
    const shown = result.compiled?.fixtures.map(({ variables }) =>
      renderMustache(result.compiled?.html_body ?? "", variables, { escape: "html" }),
    );
    expect(shown?.map((filled) => />([xy])</.exec(filled)?.[1])).toEqual(["y", "x"]);
  });

  test("has fixtures that match its type, or reports which does not, and where the type is written", async () => {
    const result = await projects.compileOne(
      files(
        'import type { Order } from "./order";\ninterface Props {\n  order: Order;\n  kind: "a" | "b";\n}',
        "return <p>{props.order.total}</p>;",
        [{ order: { total: "12", notee: "x" }, kind: "c" }],
        { "a/order.ts": "export interface Order {\n  total: number;\n  note?: string;\n}" },
      ),
    );
    expect(places(result)).toEqual([
      "fixture-schema f0.json:1:19",
      "fixture-schema f0.json:1:24",
      "fixture-schema f0.json:1:44",
    ]);
    const messages = result.diagnostics.map(({ message }) => message.replaceAll(/ at .*?(\w+\.tsx?)/g, " at $1"));
    expect(messages.toSorted()).toEqual([
      'kind: expected "a" or "b", found "c". Its type is at a.tsx:4.',
      'order.notee: not in the type of the component\'s props (did you mean "note"?). Its type is at a.tsx:3.',
      'order.total: expected a number, found "12". Its type is at order.ts:2.',
    ]);
  });

  test("reports members of its fixtures that neither the type nor a tag has", async () => {
    const body = "return <p>{props.name}</p>;";
    const given = [{ name: "Ann", year: 7, month: 1 }];
    const written = files("type Props = { name: string };", body, given, {
      "a/template.json": '{ "subject": "{{year}}" }',
    });
    const { diagnostics } = await projects.compileOne(written);
    expect(diagnostics.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      "warning: month is neither in the type of the component's props nor in a tag.",
    ]);
  });

  test("is compiled with PreviewProps that don't match the type, with a warning", async () => {
    const source = `interface Props { name: string; list: string[] }
      export default function Email(props: Props) {
        return <p>{props.name ?? "x"}{props.list.map((each) => <i>{each}</i>)}</p>;
      }
      Email.PreviewProps = { list: ["a"] } as Props;`;
    const result = await projects.compileOne({ "a/a.tsx": source, "a/template.json": '{ "subject": "Hi" }' });
    expect(result.diagnostics.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      "warning: PreviewProps don't match the type of the component's props: name: expected a string, found nothing.",
    ]);
    expect(html(result, { list: ["b"] })).toBe("x<i>b</i>");
  });

  test("reports a text that becomes a tag for a variable that is not in its type", async () => {
    const body = 'return <p>{props.name}{"{{note}}{{Other}}"}</p>;';
    const { diagnostics } = await projects.compileOne(
      files("interface Props { name: string; note?: string }", body, [{ name: "Ann" }]),
    );
    expect(diagnostics).toMatchObject([
      { rule: "react-literal-tag", message: expect.stringContaining("{{Other}}"), at: { line: 2 } },
    ]);
  });

  test("is compiled as if it had no type if a variables.ts defines the variables", async () => {
    const result = await projects.compileOne(
      files("interface Props { name: number }", "return <p>{props.name}</p>;", [{ name: "Ann" }], {
        "a/variables.ts": 'import { z } from "zod"; export default z.object({ name: z.string() });',
      }),
    );
    expect(result.diagnostics).toEqual([]);
    expect(typeInWords(compiledOf(result).contract.input)).toBe("{ name: string; }");
  });

  test("is recompiled when the file with its type changes, although bundling removes types", async () => {
    const root = await projects.write(
      files('import type { Props } from "./types";', "return <p>{props.name}</p>;", [{ name: "Ann" }], {
        "a/types.ts": "export interface Props { name: string }",
      }),
    );
    const { loadTemplates } = await import("../../../src/project/load-templates.js");
    const compile = async (): Promise<CompileResult> => {
      const [result] = await compileAll(loadTemplates([root]).templates, projects.context());
      if (!result) throw new Error("Expected a template.");
      return result;
    };
    const file = path.join(root, "a/types.ts");
    const result = await compile();
    expect(compiledOf(result).sources).toContain(file);
    expect(isAffected(dependenciesOf(result), [root, path.join(root, "a")], new Set([file]))).toBe(true);
    await writeFile(file, (await readFile(file, "utf8")).replace("name", "name?"));
    expect(typeInWords(compiledOf(await compile()).contract.input)).toBe("{ name?: string | undefined; }");
  });
});
