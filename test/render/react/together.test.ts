import { expect, test } from "vitest";
import { compileTemplate } from "../../../src/render/compile.js";
import { type Files, useProjects } from "../project.js";

const projects = useProjects();

const SHARED: Files = {
  "_shared/layout.tsx": `import { next } from "./counter"; export const Layout = ({ children }) => <main id={"m" + next()}>{children}</main>;`,
  // What each template has separately when it is compiled alone.
  "_shared/counter.ts": `let count = 0; export const next = () => (count += 1);`,
  "_shared/later.ts": `export const later = "later";`,
};

const NAMES = ["one", "two", "three", "four", "five"];

function component(name: string, extra = ""): Files {
  return {
    [`${name}/${name}.tsx`]: `import { Layout } from "../_shared/layout";
${extra}
export default function Mail({ name, vip }) { return <html><body><Layout>${name} {name}{vip && <b>VIP</b>}</Layout></body></html>; }
`,
    [`${name}/template.json`]: `{ "subject": "${name}" }`,
    [`${name}/fixtures/default.json`]: `{ "name": "Ada", "vip": true }`,
  };
}

const FILES: Files = Object.assign({}, SHARED, ...NAMES.map((name) => component(name)));

test("components that are compiled together give the same result as each alone", async () => {
  const together = await projects.compile(FILES);
  expect(together).toHaveLength(NAMES.length);
  for (const { template, diagnostics, compiled } of together) {
    const alone = await compileTemplate(template, projects.context());
    expect({ diagnostics, compiled }).toEqual({ diagnostics: alone.diagnostics, compiled: alone.compiled });
    expect(compiled?.html_body).toContain(`<main id="m1">`);
  }
});

test("earlier renderings have no effect, not even on the length of a preview", async () => {
  const [result] = await projects.compile({
    "mail.tsx": `import { Head, Html, Preview } from "@react-email/components";
export default function Mail({ name }) { return <Html><Head /><Preview>{\`Hello \${name}\`}</Preview><body>{name}</body></Html>; }
Mail.PreviewProps = { name: "Ada" };
export const subject = "Hi";
`,
  });
  if (!result?.compiled) throw new Error(JSON.stringify(result?.diagnostics));
  for (let time = 0; time < 12; time += 1) {
    const again = await compileTemplate(result.template, projects.context());
    expect(again.compiled?.html_body).toBe(result.compiled.html_body);
  }
});

test("a broken component hides no other, and is reported with its line", async () => {
  const results = await projects.compile({
    ...FILES,
    ...component("broken", `import { gone } from "./nowhere";\ngone();`),
    ...component("wrong", `const x = ;`),
  });
  expect(
    results
      .filter(({ compiled }) => compiled)
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...NAMES].sort());
  const lines = results.flatMap(({ name, diagnostics }) => diagnostics.map(({ at }) => [name, at?.line]));
  expect(lines).toEqual([
    ["broken", 2],
    ["wrong", 2],
  ]);
});

test("dynamic imports, and a body that another one imports, are shared, too", async () => {
  const results = await projects.compile({
    ...FILES,
    "six/six.tsx": `import One from "../one/one"; const { later } = await import("../_shared/later");
export default ({ name }) => <html><body>{later}<p>{name}</p>{typeof One}</body></html>;`,
    "six/template.json": `{ "subject": "six" }`,
    "six/fixtures/default.json": `{ "name": "Ada" }`,
  });
  expect(results.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
  expect(results.find(({ name }) => name === "six")?.compiled?.html_body).toContain("later<p>{{name}}</p>function");
});
