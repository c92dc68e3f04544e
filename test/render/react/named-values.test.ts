import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { bundleModule } from "../../../src/process/bundle.js";
import { evaluator } from "../../../src/mustache/expression/evaluate.js";
import { completeVariables } from "../../../src/mustache/complete.js";
import { renderMustache } from "../../../src/mustache/fill.js";
import type { Variables, VariablesSchema } from "../../../src/mustache/variables.js";
import { isRecord } from "../../../src/values.js";
import { compileAll } from "../../../src/render/compile.js";
import { type NamedValues, nameValues } from "../../../src/render/react/derive/named-values.js";
import { normalise } from "../../../src/render/react/react-html.js";
import { loadTemplates } from "../../../src/project/load-templates.js";
import { tryVariables } from "../../../src/project/variables-module.js";
import type { CompileResult, Template } from "../../../src/project/template.js";
import { compiledOf, type Files, useProjects } from "../project.js";
import { CASES, SHARED, type DeriveCase } from "./derive-cases.js";
import { EXISTING } from "./existing-derive-cases.js";
import { RENDER } from "./render.js";

const projects = useProjects();
const repository = fileURLToPath(new URL("../../../", import.meta.url));

const ALL: readonly DeriveCase[] = [...CASES, ...EXISTING];

const computing = { evaluator, locale: "en-US", timeZone: "UTC" };

const originals = new Map<string, CompileResult>();
const named = new Map<string, NamedValues>();
const results = new Map<string, CompileResult>();
/** What a second run would do. */
const again = new Map<string, NamedValues>();
let root = "";

beforeAll(async () => {
  const files: Files = Object.assign({}, SHARED, ...ALL.map(filesOf));
  root = await projects.write(files);
  for (const original of await build(await projects.write(files))) originals.set(original.name, original);
  for (const { compiled, template } of await build(root)) {
    if (!compiled) continue;
    const values = await nameValues(compiled, template, projects.context());
    named.set(template.name, values);
    for (const { file, text } of values.files) {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }
  for (const result of await build(root)) results.set(result.name, result);
  for (const { compiled, template } of results.values()) {
    if (compiled) again.set(template.name, await nameValues(compiled, template, projects.context()));
  }
}, 120_000);

test("the code compiles under strict TypeScript", async () => {
  const config = {
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      skipLibCheck: true,
      module: "esnext",
      moduleResolution: "bundler",
      target: "es2023",
      lib: ["es2023", "dom"],
      jsx: "react-jsx",
      types: [],
    },
    include: ["**/*.ts", "**/*.tsx"],
  };
  await writeFile(path.join(root, "tsconfig.json"), JSON.stringify(config));
  await symlink(path.join(repository, "node_modules"), path.join(root, "node_modules"), "junction");
  expect(await typeErrors(root)).toBe("");
});

test.each(EXISTING)("$name: adds to the existing derive", ({ name, extended }) => {
  expect(named.get(name)?.files.find(({ file }) => file.endsWith("variables.ts"))?.text).toBe(extended);
});

describe.each(ALL)("$name", ({ name, fixture, random, unnamed = [] }) => {
  test("compiles with names instead of computed values", () => {
    const original = compiledOf(originals.get(name) ?? expect.unreachable());
    const compiled = compiledOf(results.get(name) ?? expect.unreachable());
    expect(named.get(name)?.unnamed.map(({ code }) => code)).toEqual(unnamed);
    expect(again.get(name)).toMatchObject({ names: [], files: [] });
    expect(withoutKnownKeys(compiled.contract.input)).toEqual(withoutKnownKeys(original.contract.input));
  });

  test("and prints what React prints for the original component", async () => {
    const { template } = originals.get(name) ?? expect.unreachable();
    const result = results.get(name) ?? expect.unreachable();
    const { html_body: html, contract } = compiledOf(result);
    const passed = [fixture, ...Array.from({ length: 4 }, (_, seed) => varied(fixture, random, seed + 1))];
    const bundle = await bundleModule(template.body.file);
    const examples = await Promise.all(passed.map((variables) => received(template, variables)));
    const placed = examples.map((variables) => ({ variables }));
    const rendered = await projects.context().host.run(RENDER, { bundle, contract, examples: placed });
    for (const [index, variables] of passed.entries()) {
      const filled = completeVariables(contract, await received(result.template, variables), {}, computing);
      const expected = rendered[index];
      expect(normalise(renderMustache(html, filled, { escape: "html" }))).toBe(
        normalise(expected && "html" in expected ? expected.html : JSON.stringify(expected)),
      );
    }
  });
});

function build(folder: string): Promise<CompileResult[]> {
  return compileAll(loadTemplates([folder]).templates, projects.context({ folder: path.dirname(folder) }));
}

/** In zod, a record has no names of its own. */
function withoutKnownKeys(schema: VariablesSchema): unknown {
  const withoutNames = (_name: string, value: unknown): unknown =>
    isRecord(value) && isRecord(value["additionalProperties"])
      ? { type: "object", additionalProperties: value["additionalProperties"] }
      : value;
  return JSON.parse(JSON.stringify(schema, withoutNames));
}

/** The props that a component receives for the passed variables. */
async function received(template: Template, variables: Variables): Promise<Variables> {
  const { host, locale, timeZone } = projects.context();
  const { parsed, derived, issues } = await tryVariables(host, template, variables, { locale, timeZone });
  expect(issues).toEqual([]);
  return { ...parsed, ...derived };
}

function filesOf({ name, source, fixture, isPreview, variables }: DeriveCase): Files {
  return {
    [`${name}/${name}.tsx`]: source,
    ...(isPreview !== true && { [`${name}/fixtures/default.json`]: JSON.stringify(fixture) }),
    ...(variables !== undefined && { [`${name}/variables.ts`]: variables }),
  };
}

async function typeErrors(folder: string): Promise<string> {
  const compiler = path.join(repository, "node_modules", "typescript", "bin", "tsc");
  const run = promisify(execFile)(process.execPath, [compiler, "-p", ".", "--pretty", "false"], { cwd: folder });
  return run.then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

/** An example with other values of the same kinds. */
function varied(fixture: Variables, random: DeriveCase["random"], seed: number): Variables {
  let state = seed * 7919;
  const next = (below: number): number => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state % below;
  };
  const vary = (value: unknown, name: string): unknown => {
    const own = random?.[name];
    if (own) return own[next(own.length)];
    if (typeof value === "number") return next(100_000) / (next(2) + 1);
    if (typeof value === "boolean") return next(2) === 1;
    if (typeof value === "string") return ["Ann", "tea & cake", "x y z", "émile Zola", "Q"][next(5)] ?? "";
    if (Array.isArray(value)) return Array.from({ length: next(4) }, () => vary(value[0], name));
    return Object.fromEntries(Object.entries(Object(value)).map(([key, each]) => [key, vary(each, key)]));
  };
  return Object.fromEntries(Object.entries(fixture).map(([name, value]) => [name, vary(value, name)]));
}
