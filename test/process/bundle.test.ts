import { cp, writeFile } from "node:fs/promises";
import path from "node:path";
import { execFile } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { type Bundle, bundleModule, type OwnModule } from "../../src/process/bundle.js";
import { ModuleError } from "../../src/process/module-error.js";
import { addFiles, install, link, makeFolder } from "./folder.js";

/** Imports a bundle from another folder: nothing in it may depend on its location. */
async function load(bundle: Bundle): Promise<Record<string, unknown>> {
  const folder = await makeFolder({ "bundle.mjs": bundle.code });
  return import(pathToFileURL(path.join(folder, "bundle.mjs")).href);
}

async function failure(file: string): Promise<ModuleError> {
  const error: unknown = await bundleModule(file).catch((caught: unknown) => caught);
  if (error instanceof ModuleError) return error;
  throw new Error(`Expected a ModuleError, got ${String(error)}`);
}

describe("contents", () => {
  test("own modules, with and without extension, and JSON are included; packages are external", async () => {
    const folder = await makeFolder({
      "entry.tsx": `
        import { a } from "./a";
        import { b } from "./lib/b.js";
        import lib from "./lib";
        import data, { list } from "./data.json";
        import { p } from "esm-package";
        export const all = [a, b, lib, data.list, list, p];`,
      "a.ts": `export const a: string = "a";`,
      "lib/b.ts": `export enum Kind { B = "b" } export const b = Kind.B;`,
      "lib/index.js": `export default "index";`,
      "data.json": `{ "list": [1, 2] }`,
      "node_modules/esm-package/package.json": `{ "type": "module", "exports": "./index.js" }`,
      "node_modules/esm-package/index.js": `export const p = import.meta.url;`,
    });
    const bundle = await bundleModule(path.join(folder, "entry.tsx"));
    const inPackage = path.join(folder, "node_modules/esm-package/index.js");
    expect((await load(bundle)).all).toEqual(["a", "b", "index", [1, 2], [1, 2], pathToFileURL(inPackage).href]);
    expect(bundle.file).toBe(path.join(folder, "entry.tsx"));
    expect(bundle.sources).toEqual(
      ["a.ts", "data.json", "entry.tsx", "lib/b.ts", "lib/index.js"].map((name) => path.join(folder, name)),
    );
  });

  test("a linked workspace package is own code; a package behind pnpm's links is not", async () => {
    const folder = await makeFolder({
      "app/entry.ts": `export { shared } from "@acme/shared"; export { p } from "pnpm-package";`,
      "packages/shared/package.json": `{ "name": "@acme/shared", "exports": "./src/index.ts" }`,
      "packages/shared/src/index.ts": `export const shared: string = "shared";`,
      "node_modules/.pnpm/pnpm-package@1/node_modules/pnpm-package/package.json": `{ "main": "index.js" }`,
      "node_modules/.pnpm/pnpm-package@1/node_modules/pnpm-package/index.js": `exports.p = "pnpm";`,
    });
    await link(path.join(folder, "packages/shared"), path.join(folder, "app/node_modules/@acme/shared"));
    const pnpm = path.join(folder, "node_modules/.pnpm/pnpm-package@1/node_modules/pnpm-package");
    await link(pnpm, path.join(folder, "app/node_modules/pnpm-package"));
    const bundle = await bundleModule(path.join(folder, "app/entry.ts"));
    expect(bundle.sources).toEqual([
      path.join(folder, "app/entry.ts"),
      path.join(folder, "packages/shared/src/index.ts"),
    ]);
    expect(await load(bundle)).toMatchObject({ shared: "shared", p: "pnpm" });
  });

  test("styles are empty modules, and are watched", async () => {
    const folder = await makeFolder({
      "entry.ts": `import "./a.css"; import styles from "./b.module.css"; import "styled/c.css"; export default styles.x;`,
      "a.css": "a {}",
      "b.module.css": "b {}",
      "node_modules/styled/package.json": "{}",
      "node_modules/styled/c.css": "c {}",
    });
    const bundle = await bundleModule(path.join(folder, "entry.ts"));
    expect((await load(bundle)).default).toBeUndefined();
    expect(bundle.sources).toContain(path.join(folder, "a.css"));
    expect(bundle.sources).toContain(path.join(folder, "b.module.css"));
  });

  test("a package's TypeScript is included, because Node would not run it", async () => {
    const folder = await makeFolder({
      "entry.ts": `export { t } from "ts-package";`,
      "node_modules/ts-package/package.json": `{ "exports": "./index.tsx" }`,
      "node_modules/ts-package/index.tsx": `export const t: string = "typed";`,
    });
    expect((await load(await bundleModule(path.join(folder, "entry.ts")))).t).toBe("typed");
  });

  test("a dynamically imported module is in the same file", async () => {
    const folder = await makeFolder({
      "entry.ts": `export default await import("./later");`,
      "later.ts": `export const x = 1;`,
    });
    const { code } = await bundleModule(path.join(folder, "entry.ts"));
    expect(code).not.toContain('later.ts")');
    expect((await load(await bundleModule(path.join(folder, "entry.ts")))).default).toMatchObject({ x: 1 });
  });

  test("nothing is inlined, removed or moved to other lines", async () => {
    const source = `const DEBUG = false;\nconst unused = 12;\nexport function f() {\n  if (DEBUG) { return "debug"; }\n  return "f";\n}\n`;
    const folder = await makeFolder({ "entry.js": source });
    const { code } = await bundleModule(path.join(folder, "entry.js"));
    expect(code).toContain("const DEBUG = false");
    expect(code).toContain("const unused = 12");
    expect(code).toContain("if (DEBUG)");
  });
});

describe("packages", () => {
  const packages = {
    "node_modules/plain/package.json": `{ "main": "main" }`,
    "node_modules/plain/main.js": `const name = "na" + "med"; exports[name] = 1; exports.default = "default"; exports.__esModule = true;`,
    "node_modules/require-only/package.json": `{ "exports": { "require": "./index.cjs" } }`,
    "node_modules/require-only/index.cjs": `module.exports = { required: 2 };`,
    "node_modules/both/package.json": `{ "exports": { "import": "./index.mjs", "require": "./index.cjs" } }`,
    "node_modules/both/index.mjs": `export const kind = "module";`,
    "node_modules/both/index.cjs": `exports.kind = "commonjs";`,
  };
  const entry = `
    import fallback, { named } from "plain";
    import * as namespace from "plain";
    import { required } from "require-only";
    import { kind } from "both";
    export const all = [fallback, named, namespace.named, required, kind];`;

  test("CommonJS provides every name that it has at run time, also in a project without a module type", async () => {
    const folder = await makeFolder({ ...packages, "package.json": "{}", "entry.tsx": entry });
    expect((await load(await bundleModule(path.join(folder, "entry.tsx")))).all).toEqual([
      "default",
      1,
      1,
      2,
      "module",
    ]);
  });

  test("a project of ES modules gets module.exports as default, as from Node", async () => {
    const folder = await makeFolder({ ...packages, "package.json": `{ "type": "module" }`, "entry.ts": entry });
    const { all } = await load(await bundleModule(path.join(folder, "entry.ts")));
    expect(all).toEqual([{ named: 1, default: "default", __esModule: true }, 1, 1, 2, "module"]);
  });

  test("an own CommonJS module requires what require resolves", async () => {
    const folder = await makeFolder({
      ...packages,
      "entry.ts": `import legacy from "./legacy.cjs"; export default legacy;`,
      "legacy.cjs": `const { kind } = require("both"); module.exports = [kind, require("plain").named, typeof require("fs").readFile];`,
    });
    expect((await load(await bundleModule(path.join(folder, "entry.ts")))).default).toEqual([
      "commonjs",
      1,
      "function",
    ]);
  });

  test("React is resolved from the template's project", async () => {
    const folder = await makeFolder({
      "package.json": "{}",
      "entry.tsx": `import * as React from "react"; export { React }; export default () => <p>hi</p>;`,
    });
    await install(folder, "react");
    const { React, default: Component } = await load(await bundleModule(path.join(folder, "entry.tsx")));
    const { default: installed } = await import("react");
    expect(React).toMatchObject({ useState: installed.useState });
    expect(typeof Component === "function" && Component()).toMatchObject({ type: "p", props: { children: "hi" } });
  });

  test("lettershop/react is resolved as installed in the project", async () => {
    const folder = await makeFolder({
      "entry.tsx": `export { where } from "lettershop/react";`,
      "node_modules/lettershop/package.json": `{ "type": "module", "exports": { "./react": "./react.js" } }`,
      "node_modules/lettershop/react.js": `export const where = import.meta.url;`,
    });
    const bundle = await bundleModule(path.join(folder, "entry.tsx"));
    const expected = pathToFileURL(path.join(folder, "node_modules/lettershop/react.js")).href;
    expect((await load(bundle)).where).toBe(expected);
    expect(bundle.sources).toHaveLength(1);
  });

  test("a dynamically imported package may be missing", async () => {
    const folder = await makeFolder({ "entry.ts": `export default await import("nowhere").catch(() => "caught");` });
    expect((await load(await bundleModule(path.join(folder, "entry.ts")))).default).toBe("caught");
  });
});

describe("tsconfig.json", () => {
  test("one that extends something that isn't installed is ignored", async () => {
    const folder = await makeFolder({
      "tsconfig.json": `{ "extends": "@acme/tsconfig/react.json", "compilerOptions": { "paths": { "@/*": ["./lib/*"] } } }`,
      "entry.tsx": `export const x: number = 1;`,
      "aliased.ts": `import "@/x";`,
    });
    expect((await load(await bundleModule(path.join(folder, "entry.tsx")))).x).toBe(1);
    const { message, hint } = await failure(path.join(folder, "aliased.ts"));
    expect(message).toBe(`"@/x" can't be found.`);
    expect(hint).toMatch(/tsconfig\.json was ignored: Failed to load tsconfig '@acme\/tsconfig\/react\.json'/);
  });

  test.each(["plain", "with space", "with #hash", "with %25 percent"])("paths hold in a folder %s", async (name) => {
    const folder = await makeFolder(
      {
        "tsconfig.json": `{ "extends": "./base.json", "compilerOptions": { "jsx": "preserve", "target": "ES5" } }`,
        "base.json": `{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["./src/*"] } } }`,
        "emails/entry.tsx": `import { a } from "@/a"; export default () => <b>{a}</b>; export { a };`,
        "src/a.ts": `export const a = import.meta.dirname;`,
      },
      name,
    );
    await install(folder, "react");
    expect(await load(await bundleModule(path.join(folder, "emails/entry.tsx")))).toMatchObject({
      a: path.join(folder, "src"),
    });
  });
});

test.each(["with space", "#1", "50%20off"])("each module knows its own place, in a folder %s", async (name) => {
  const folder = await makeFolder(
    {
      "entry.ts": `
        const { url } = import.meta;
        export { inner } from "./inner/place";
        export const outer = [url, import.meta.dirname, import.meta.filename, __dirname, __filename];`,
      "inner/place.ts": `
        import { fileURLToPath } from "node:url";
        const __filename = fileURLToPath(import.meta.url);
        export const inner = [__dirname, __filename];`,
    },
    name,
  );
  const { outer, inner } = await load(await bundleModule(path.join(folder, "entry.ts")));
  const entry = path.join(folder, "entry.ts");
  expect(outer).toEqual([pathToFileURL(entry).href, folder, entry, folder, entry]);
  expect(inner).toEqual([path.join(folder, "inner"), path.join(folder, "inner/place.ts")]);
});

describe("transform", () => {
  test("receives only own scripts, and rewrites them", async () => {
    const folder = await makeFolder({
      "entry.tsx": `import { p } from "pkg"; import "./style.css"; import data from "./data.json";\nexport default <p>{"é" && (p)}{data.x}</p>;`,
      "style.css": "",
      "data.json": `{ "x": 1 }`,
      "node_modules/pkg/package.json": `{ "main": "index.js" }`,
      "node_modules/pkg/index.js": `exports.p = true;`,
    });
    await install(folder, "react");
    const seen: string[] = [];
    const bundle = await bundleModule(path.join(folder, "entry.tsx"), {
      transform({ file, code, edits }: OwnModule) {
        seen.push(file);
        const at = code.indexOf(`"é"`);
        edits.overwrite(at, at + 3, `"changed"`);
      },
    });
    expect(seen).toEqual([path.join(folder, "entry.tsx")]);
    expect(bundle.code).toContain(`"changed" && import_pkg.p`);
  });

  test("has the offsets of the source, without nodes for parentheses or removed types", async () => {
    const code = `const grin: string = "😀"; export const x = ((grin));`;
    const folder = await makeFolder({ "entry.ts": code });
    const found: string[] = [];
    await bundleModule(path.join(folder, "entry.ts"), {
      transform({ program }) {
        const [, exported] = program.body;
        const init =
          exported?.type === "ExportNamedDeclaration" &&
          exported.declaration?.type === "VariableDeclaration" &&
          exported.declaration.declarations[0]?.init;
        if (init) found.push(init.type, code.slice(init.start, init.end));
      },
    });
    expect(found).toEqual(["Identifier", "grin"]);
  });

  test("may rewrite what reads the module's location", async () => {
    const folder = await makeFolder({
      "entry.ts": `export const x = f(import.meta.dirname);\nfunction f(x) { return x; }`,
    });
    const bundle = await bundleModule(path.join(folder, "entry.ts"), {
      transform({ code, edits }) {
        const [start, end] = [code.indexOf("f("), code.indexOf(");") + 1];
        edits.overwrite(start, end, `[${code.slice(start, end)}]`);
      },
    });
    expect((await load(bundle)).x).toEqual([folder]);
  });

  test("its exceptions are rethrown unchanged", async () => {
    const folder = await makeFolder({ "entry.ts": "export {}" });
    const bug = new RangeError("a bug of the transform");
    const bundling = bundleModule(path.join(folder, "entry.ts"), {
      transform() {
        throw bug;
      },
    });
    await expect(bundling).rejects.toBe(bug);
  });
});

test("with external, other packages are included, and only what is used of them", async () => {
  const folder = await makeFolder({
    "entry.ts": `import { z } from "zod"; import { v } from "zod/v4"; import { used } from "pkg"; export default [z, v, used];`,
    "node_modules/pkg/package.json": `{ "type": "module", "exports": "./index.js", "sideEffects": false }`,
    "node_modules/pkg/index.js": `export const used = () => "used"; export const idle = () => "idle";`,
  });
  const { code, sources } = await bundleModule(path.join(folder, "entry.ts"), { external: ["zod"] });
  expect(code).toMatch(/from "zod"/);
  expect(code).toMatch(/from "zod\/v4"/);
  expect(code).toContain(`"used"`);
  expect(code).not.toContain(`"idle"`);
  expect(code).not.toContain("file:");
  expect(sources).toContain(path.join(folder, "node_modules/pkg/index.js"));
});

describe("what can't be bundled is a ModuleError", () => {
  test("a syntax error, with line and column in UTF-16 code units", async () => {
    const folder = await makeFolder({ "entry.tsx": `export const a = 1;\nexport const grin = "😀", b = ;` });
    const { message, at } = await failure(path.join(folder, "entry.tsx"));
    expect(message).toBe("Unexpected token.");
    expect(at).toEqual({ file: path.join(folder, "entry.tsx"), line: 2, column: 31 });
  });

  test("a package that isn't installed, with the command that installs it", async () => {
    const folder = await makeFolder({
      "entry.ts": `import "./part";`,
      "part.ts": `\n  import { x } from "@scope/nowhere/deep";\nexport { x };`,
    });
    const { message, at, hint } = await failure(path.join(folder, "entry.ts"));
    expect(message).toBe(`The package "@scope/nowhere" is not installed.`);
    expect(at).toEqual({ file: path.join(folder, "part.ts"), line: 2, column: 3 });
    expect(hint).toBe("Run: npm install @scope/nowhere");
  });

  test("a mistyped package name, with the one that the project depends on", async () => {
    const folder = await makeFolder({
      "package.json": `{ "dependencies": { "@react-email/components": "1" }, "devDependencies": { "zod": "4" } }`,
      "templates/a/a.tsx": `import { Html } from "@react-email/componets";\nexport { Html };`,
      "templates/b/b.ts": `import { z } from "zodd";\nexport { z };`,
    });
    const hintOf = async (file: string) => (await failure(path.join(folder, file))).hint;
    expect(await hintOf("templates/a/a.tsx")).toBe(
      'Did you mean "@react-email/components"? If not, run: npm install @react-email/componets',
    );
    expect(await hintOf("templates/b/b.ts")).toBe('Did you mean "zod"? If not, run: npm install zodd');
  });

  test("a file that a package exports and that isn't built", async () => {
    const exports = { ".": "./dist/index.js", "./ui/*": { types: "./src/*.d.ts", import: "./dist/*.js" } };
    const folder = await makeFolder({
      "entry.ts": `export * from "@acme/kit";\nexport * from "@acme/kit/ui/button";\nexport * from "old";`,
      "node_modules/@acme/kit/package.json": JSON.stringify({ name: "@acme/kit", exports }),
      "node_modules/old/package.json": `{ "name": "old", "main": "./lib/main.js" }`,
    });
    const { message, hint, others } = await failure(path.join(folder, "entry.ts"));
    expect([message, ...others.map((each) => each.message)]).toEqual([
      'The package "@acme/kit" exports "@acme/kit" as ./dist/index.js, but that file does not exist.',
      'The package "@acme/kit" exports "@acme/kit/ui/button" as ./dist/button.js, but that file does not exist.',
      'The package "old" exports "old" as ./lib/main.js, but that file does not exist.',
    ]);
    expect(hint).toBe("If it is a package in your workspace, build it first.");
  });

  test("a path that a package doesn't export", async () => {
    const folder = await makeFolder({
      "entry.ts": `export { x } from "pkg/inner";`,
      "node_modules/pkg/package.json": `{ "name": "pkg", "exports": "./index.js" }`,
      "node_modules/pkg/index.js": "",
    });
    expect((await failure(path.join(folder, "entry.ts"))).message).toBe(
      `The package "pkg" does not export "pkg/inner".`,
    );
  });

  test("a missing file, with a similar one", async () => {
    const folder = await makeFolder({ "entry.ts": `export { h } from "./parts/Heder";`, "parts/Header.tsx": "" });
    const { message, hint } = await failure(path.join(folder, "entry.ts"));
    expect(message).toBe(`"./parts/Heder" can't be found.`);
    expect(hint).toBe("Did you mean Header.tsx?");
  });

  test("an undefined alias", async () => {
    const folder = await makeFolder({ "entry.ts": `import { h } from "@/parts/h"; h();` });
    expect((await failure(path.join(folder, "entry.ts"))).hint).toContain("tsconfig.json");
  });

  test("an image", async () => {
    const folder = await makeFolder({
      "entry.ts": `import logo from "./logo.png"; export default logo;`,
      "logo.png": "\x89PNG",
    });
    const { message, at, hint } = await failure(path.join(folder, "entry.ts"));
    expect(message).toContain(`"./logo.png" can't be imported`);
    expect(at).toMatchObject({ line: 1, column: 1 });
    expect(hint).toContain("_assets");
  });

  test("a name that an own module doesn't export", async () => {
    const folder = await makeFolder({
      "entry.ts": `import { b } from "./a"; export default b;`,
      "a.ts": `export const a = 1;`,
    });
    const { message, at } = await failure(path.join(folder, "entry.ts"));
    expect(message).toBe(`"b" is not exported by "a.ts".`);
    expect(at).toEqual({ file: path.join(folder, "entry.ts"), line: 1, column: 10 });
  });

  test("invalid JSON", async () => {
    const folder = await makeFolder({
      "entry.ts": `import d from "./d.json"; export default d;`,
      "d.json": `{\n  "a": 1,\n}`,
    });
    expect((await failure(path.join(folder, "entry.ts"))).at).toMatchObject({
      file: path.join(folder, "d.json"),
      line: 3,
    });
  });

  test("a missing module", async () => {
    const folder = await makeFolder();
    expect((await failure(path.join(folder, "none.ts"))).at).toEqual({ file: path.join(folder, "none.ts") });
  });

  test("a folder instead of a file", async () => {
    const folder = await makeFolder({ "entry.ts/inner.ts": "export default 1;" });
    const file = path.join(folder, "entry.ts");
    expect(await failure(file)).toMatchObject({ message: "entry.ts can't be read.", at: { file } });
  });

  test("of several errors, always the first by file and line, with the others", async () => {
    const folder = await makeFolder({
      "entry.ts": `import "./b"; import "./a"; import "gone-1";`,
      "a.ts": `import "fine/nothing";\nimport "gone-2";`,
      "b.ts": `import "gone-3";`,
    });
    const found = await Promise.all(Array.from({ length: 8 }, () => failure(path.join(folder, "entry.ts"))));
    expect(new Set(found.map(({ at }) => `${at.file}:${at.line}`))).toEqual(
      new Set([`${path.join(folder, "a.ts")}:1`]),
    );
    const diagnostics = found.map((error) =>
      error.toDiagnostics("module").map(({ message, at }) => [message, at?.line]),
    );
    expect(new Set(diagnostics.map((each) => JSON.stringify(each)))).toEqual(
      new Set([
        JSON.stringify([
          ['The package "fine" is not installed.', 1],
          ['The package "gone-2" is not installed.', 2],
          ['The package "gone-3" is not installed.', 1],
          ['The package "gone-1" is not installed.', 1],
        ]),
      ]),
    );
  });

  test("becomes a diagnostic", async () => {
    const folder = await makeFolder({ "entry.ts": `import "nowhere";` });
    const error = await failure(path.join(folder, "entry.ts"));
    expect(error.toDiagnostic("react-module", "receipt")).toEqual({
      rule: "react-module",
      severity: "error",
      message: `The package "nowhere" is not installed.`,
      at: { file: path.join(folder, "entry.ts"), line: 1, column: 1 },
      template: "receipt",
      hint: "Run: npm install nowhere",
    });
  });
});

test("without rolldown, reports what to install", async () => {
  const folder = await makeFolder({ "entry.ts": "export {}" });
  const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
  await addFiles(folder, { "package.json": `{ "type": "module" }` });
  await cp(dist, path.join(folder, "dist"), {
    recursive: true,
    filter: (source) => /^(?:|process.*|text.*|[^/\\]+\.js)$/.test(path.relative(dist, source)),
  });
  const script = `
    import { bundleModule } from "./dist/process/bundle.js";
    await bundleModule(process.argv[2]).catch(({ code, packages, message, hint }) => console.log(JSON.stringify({ code, packages, message, hint })));`;
  await writeFile(path.join(folder, "run.mjs"), script);
  const { stdout } = await promisify(execFile)(process.execPath, [
    path.join(folder, "run.mjs"),
    path.join(folder, "entry.ts"),
  ]);
  expect(JSON.parse(stdout)).toEqual({
    code: "missing_peer",
    packages: ["rolldown"],
    message: "rolldown is not installed, and loading entry.ts needs it.",
    hint: "Run: npm install --save-dev rolldown",
  });
});
