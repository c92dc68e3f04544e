import { expect, test } from "vitest";

interface Corpus {
  corpusFiles: (options: { mjml: number; react: number; schemas?: boolean }) => Map<string, string>;
}

const { corpusFiles }: Corpus = await import(new URL("../../bench/compile/corpus.mjs", import.meta.url).href);

const files = corpusFiles({ mjml: 12, react: 12 });

test("the corpus is the same each time, regardless of its size", () => {
  expect(corpusFiles({ mjml: 12, react: 12 })).toEqual(files);
  const fewer = corpusFiles({ mjml: 1, react: 2 });
  expect(fewer.size).toBe(3 + 2 * 3);
  for (const [name, text] of fewer) expect(text, name).toBe(files.get(name));
});

test("all templates differ", () => {
  const bodies = [...files].filter(([name]) => /^templates\/.*\.(?:mjml|tsx)$/.test(name)).map(([, text]) => text);
  expect(bodies).toHaveLength(24);
  expect(new Set(bodies).size).toBe(24);
  for (const part of [
    "{{#highlights}}",
    'mj-include path="../_shared/',
    "highlights.map(",
    'from "../_shared/layout.js"',
  ])
    expect(bodies.filter((body) => body.includes(part)).length, part).toBeGreaterThan(3);
});

test("the templates for email export differ only in the export", () => {
  for (let number = 1; number <= 12; number += 1) {
    const name = `react-${String(number).padStart(3, "0")}/react-${String(number).padStart(3, "0")}.tsx`;
    const [ours, exported] = [files.get(`templates/${name}`), files.get(`emails/${name}`)];
    const component = /^export default function (\w+)/m.exec(ours ?? "")?.[1];
    expect(exported).toBe(
      ours
        ?.replace("export default function", "function")
        .replace(`${component}.PreviewProps = example;`, `export default () => <${component} {...example} />;`),
    );
  }
});

test("section tags between elements are in mj-raw, so that mjml keeps them", () => {
  for (const [name, text] of files) {
    if (!name.endsWith(".mjml")) continue;
    const withoutContents = text.replace(/<(mj-(?:raw|table|text|title|preview|button))\b[^]*?<\/\1>/g, "");
    expect(withoutContents, name).not.toMatch(/\{\{[#^/]/);
  }
});

test("with schemas, a template has the starter's variables.ts with the variables of the added sections", () => {
  const withSchemas = corpusFiles({ mjml: 3, react: 2, schemas: true });
  for (const name of ["mjml-001", "mjml-002", "mjml-003", "react-001", "react-002"]) {
    expect(withSchemas.get(`templates/${name}/variables.ts`)).toContain("highlights: z.array(");
    expect(withSchemas.get(`templates/${name}/fixtures/default.json`)).toContain('"highlights": [');
  }
});
