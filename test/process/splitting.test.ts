import path from "node:path";
import { expect, test } from "vitest";
import { bundleModule } from "../../src/process/bundle.js";
import { makeFolder } from "./folder.js";

const KIT = {
  "node_modules/kit/package.json": `{ "name": "kit", "type": "module", "main": "index.js", "sideEffects": false }`,
  "node_modules/kit/index.js": `export * from "./text.js";\nexport * from "./code.js";\nexport {};\n`,
  "node_modules/kit/text.js": `export const Text = "text", Link = "link"; export default 1;`,
  "node_modules/kit/code.js": `export const Code = "code";`,
};

/** The files that the bundle of a module imports from the kit. */
async function importsOf(code: string, files: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const folder = await makeFolder({ ...KIT, "mail.ts": `${code}\n`, ...files });
  const bundle = await bundleModule(path.join(folder, "mail.ts"));
  return [...bundle.code.matchAll(/from "file:[^"]*\/node_modules\/kit\/([^"]+)"/g)]
    .map(([, file = ""]) => file)
    .sort();
}

test("names are imported from where they are defined", async () => {
  expect(await importsOf(`import { Text, Link as Go } from "kit"; export default Text + Go;`)).toEqual(["text.js"]);
  expect(await importsOf(`import { Text, Code } from "kit"; export default Text + Code;`)).toEqual([
    "code.js",
    "text.js",
  ]);
});

test("names that an entry re-exports individually are imported from there too", async () => {
  const files = {
    "node_modules/kit/index.js": `import { Text as Words } from "./text.js";
import { Code } from "./code.js";
export * from "./more.js";
export { Words as Text, Code };
export { Link, default as One } from "./text.js";
`,
    "node_modules/kit/more.js": `export const Code = "more", More = "more";`,
  };
  expect(await importsOf(`import { Text, Link, One } from "kit"; export default Text + Link + One;`, files)).toEqual([
    "text.js",
  ]);
  expect(await importsOf(`import { Code } from "kit"; export default Code;`, files)).toEqual(["code.js"]);
  expect(await importsOf(`import { More } from "kit"; export default More;`, files)).toEqual(["more.js"]);
});

test("positions are kept", async () => {
  const folder = await makeFolder({
    ...KIT,
    "mail.ts": `import {\n  Text,\n  Code,\n} from "kit";\nexport default () => Text + Code;\n`,
  });
  const { map } = await bundleModule(path.join(folder, "mail.ts"));
  expect(JSON.parse(map)).toMatchObject({ sources: [path.join(folder, "mail.ts")] });
});

test.each<[string, string, Record<string, string>?]>([
  ["a namespace", `import * as kit from "kit"; export default kit;`],
  ["a name that it doesn't export", `import { Text, Props } from "kit"; export default (text: Props) => Text + text;`],
  [
    "an entry with its own code",
    `import { Text } from "kit"; export default Text;`,
    { "node_modules/kit/index.js": `export * from "./text.js"; globalThis.kit = true;` },
  ],
  [
    "an entry that imports a module for its side effects",
    `import { Text } from "kit"; export default Text;`,
    { "node_modules/kit/index.js": `import "./code.js"; export * from "./text.js";` },
  ],
  [
    "a re-exported namespace",
    `import { Text, All } from "kit"; export default [Text, All];`,
    { "node_modules/kit/index.js": `export * from "./text.js"; export * as All from "./code.js";` },
  ],
  [
    "packages that may have side effects",
    `import { Text } from "kit"; export default Text;`,
    { "node_modules/kit/package.json": `{ "name": "kit", "type": "module", "main": "index.js" }` },
  ],
  [
    "a name that two modules export",
    `import { Text } from "kit"; export default Text;`,
    { "node_modules/kit/code.js": `export const Text = "other";` },
  ],
])("the whole entry is imported for %s", async (_what, code, files = {}) => {
  expect(await importsOf(code, files)).toEqual(["index.js"]);
});

test("a string that looks like an import stays unchanged", async () => {
  const folder = await makeFolder({ ...KIT, "mail.ts": 'export default `\nimport { Text } from "kit";\n`;\n' });
  const { code } = await bundleModule(path.join(folder, "mail.ts"));
  expect(code).toContain(`\nimport { Text } from "kit";\n`);
});
