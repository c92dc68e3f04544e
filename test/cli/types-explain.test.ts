import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { htmlTemplate, TestProject } from "./project.js";

const component = `import type { Shop } from "../../src/shop";
import type { Locale } from "dates";
interface Props extends Locale {
  name?: string;
  shop: Shop;
  year: Locale;
  zone?: Locale;
}
export const subject = "Hi";
export default ({ name = "you", shop, year }: Props) => <html><body>{name} {shop.title} {year}</body></html>;
`;

const files = {
  "src/shop.ts": 'export interface Shop {\n  title: "A" | "B";\n}\n',
  "templates/hi/hi.tsx": component,
  "templates/hi/fixtures/default.json": '{ "shop": { "title": "A" }, "year": 2031 }',
  "templates/plain.tsx":
    'export const subject = "Hi";\nconst Plain = ({ a }) => <p>{a}</p>;\nPlain.PreviewProps = { a: "x" };\nexport default Plain;\n',
  "templates/checked/checked.html": "<p>{{total}}</p>",
  "templates/checked/template.json": '{ "subject": "Hi" }',
  "templates/checked/variables.ts": 'import { z } from "zod";\nexport default z.object({ total: z.number() });\n',
  ...htmlTemplate("other"),
};

test("types --explain shows where each type is defined, which are inferred, and why a type can't be read", async () => {
  const project = new TestProject(files);
  expect(await project.run(["types", "--explain", "hi"])).toMatchObject({
    code: 0,
    stdout: `hi: the type of the component's props, templates/hi/hi.tsx:10

  VARIABLE    TYPE                   FROM
  name?       string                 templates/hi/hi.tsx:4
  shop        { title: "A" | "B"; }  templates/hi/hi.tsx:5
  shop.title  "A" | "B"              src/shop.ts:2
  year        number                 inferred from the fixture default; the type at templates/hi/hi.tsx:6 can't be used: it comes from "dates", which is not part of the project
  zone?       unknown                not used; the type at templates/hi/hi.tsx:7 can't be used: it comes from "dates", which is not part of the project

  Parts of the type that could not be read:
  templates/hi/hi.tsx:3: it comes from "dates", which is not part of the project
`,
  });
  expect((await project.run(["types", "--explain", "plain"])).stdout).toBe(
    `plain: inferred from the fixtures and the tags. The type of the component's props can't be read: the component's parameter has no type (templates/plain.tsx).

  VARIABLE  TYPE    FROM
  a         string  inferred from the fixture preview
`,
  );
  expect((await project.run(["types", "--explain", "checked"])).stdout).toContain(
    "checked: the schema in templates/checked/variables.ts",
  );
  expect((await project.run(["types", "--explain", "other"])).stdout).toContain("inferred from the fixture default");
});

test("types --explain shows types that are inferred because PreviewProps do not fit", async () => {
  const source = `export const subject = "Hi";
const Email = ({ a, list }: { a: string; list: string[] }) => <p>{a}{list?.map((each) => <i>{each}</i>)}</p>;
Email.PreviewProps = { a: "x", list: null };
export default Email;
`;
  const project = new TestProject({ "templates/hi.tsx": source });
  expect((await project.run(["types", "--explain", "hi"])).stdout).toContain(
    "inferred from the fixture preview; the type at templates/hi.tsx:2 can't be used: PreviewProps don't match it\n",
  );
});

test("the guide's component has the types in the guide, and its fixture's mistake is reported as in the guide", async () => {
  const guide = readFileSync(new URL("../../docs/guides/variables.md", import.meta.url), "utf8");
  const [, block = ""] = /^```tsx\n(.*?)^```$/ms.exec(guide) ?? [];
  const fixture = { name: "Ann", order: { number: "A-1", items: ["Tea"] }, status: "paid", note: null, discount: 5 };
  const project = new TestProject({
    "src/orders.ts": "export interface Order {\n  id: string;\n  number: string;\n  items: string[];\n}\n",
    "templates/receipt/receipt.tsx": `${block}  return <p>{name} {order.number} {order.items} {status} {note} {discount}</p>;\n}\nexport const subject = "Hi";\n`,
    "templates/receipt/fixtures/default.json": JSON.stringify(fixture),
  });
  expect(guide).toContain((await project.run(["types", "--explain", "receipt"])).stdout);
  const wrong = JSON.stringify({ ...fixture, status: "payed" }, null, 1);
  project.write({ "templates/receipt/fixtures/default.json": wrong });
  const [, warning = ""] = /^templates\/receipt\/fixtures\/default.json:\d+:\d+ {2}(status: .*)$/m.exec(guide) ?? [];
  expect((await project.run(["build"])).stderr).toContain(warning);
  expect(warning).not.toBe("");
});

test("types --explain prints JSON, also for a template whose fixture does not fit", async () => {
  const project = new TestProject({ ...files, "templates/hi/fixtures/default.json": '{ "shop": { "title": "C" } }' });
  const { code, stdout, stderr } = await project.run(["types", "--explain", "hi", "--json"]);
  expect(code).toBe(1);
  expect(stderr).toContain('shop.title: expected "A" or "B", found "C". Its type is at src/shop.ts:2.');
  expect(JSON.parse(stdout)).toMatchObject({
    template: "hi",
    source: "type",
    at: { file: project.path("templates/hi/hi.tsx"), line: 10 },
    variables: [
      { name: "name", type: "string", isRequired: false, source: "type", at: { line: 4 } },
      { name: "shop", isRequired: true, source: "type" },
      { name: "shop.title", type: '"A" | "B"', at: { file: project.path("src/shop.ts"), line: 2 } },
      { name: "year", unread: 'it comes from "dates", which is not part of the project' },
      { name: "zone" },
    ],
  });
  expect(await project.run(["types", "--explain", "hy"])).toMatchObject({ code: 2 });
});
