import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import type { Diagnostic } from "../../../src/diagnostic.js";
import { bundleModule } from "../../../src/process/bundle.js";
import { completeVariables } from "../../../src/mustache/complete.js";
import { renderMustache } from "../../../src/mustache/fill.js";
import type { Variables } from "../../../src/mustache/variables.js";
import { compileAll } from "../../../src/render/compile.js";
import { normalise } from "../../../src/render/react/react-html.js";
import { loadTemplates } from "../../../src/project/load-templates.js";
import { tryVariables } from "../../../src/project/variables-module.js";
import type { CompileResult, Template } from "../../../src/project/template.js";
import { compiledOf, type Files, useProjects } from "../project.js";
import { CASES, SHARED, type DeriveCase } from "./derive-cases.js";
import { RENDER } from "./render.js";

const projects = useProjects();
const repository = fileURLToPath(new URL("../../../", import.meta.url));

const results = new Map<string, CompileResult>();
const originals = new Map<string, Template>();
const hints = new Map<string, string>();
let first: readonly CompileResult[] = [];
let root = "";

beforeAll(async () => {
  const files: Files = Object.assign({}, SHARED, ...CASES.map(filesOf));
  root = await projects.write(files);
  const before = await projects.write(files);
  for (const template of loadTemplates([before]).templates) originals.set(template.name, template);
  first = await build();
  for (const { name, diagnostics } of first) {
    const hint = diagnostics.find(({ message }) => message.includes("must come from derive"))?.hint;
    if (hint === undefined) continue;
    hints.set(name, hint);
    await paste(hint, path.dirname(root));
  }
  for (const result of await build()) results.set(result.name, result);
}, 120_000);

test("the code in the hints compiles under strict TypeScript", async () => {
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

describe.each(CASES)("$name", ({ name, fixture, random }) => {
  test("compiles after the hint is applied", () => {
    expect(hints.get(name), problemsOf(first.find((result) => result.name === name))).toBeDefined();
    const { diagnostics = [] } = results.get(name) ?? {};
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  test("and prints what React prints for the original component", async () => {
    const result = results.get(name) ?? expect.unreachable();
    const { html_body: html, contract } = compiledOf(result);
    const original = originals.get(name) ?? expect.unreachable();
    const passed = [fixture, ...Array.from({ length: 4 }, (_, seed) => varied(fixture, random, seed + 1))];
    const bundle = await bundleModule(original.body.file);
    const examples = await Promise.all(passed.map((variables) => received(original, variables)));
    const rendered = await projects.context().host.run(RENDER, { bundle, examples });
    for (const [index, variables] of passed.entries()) {
      const filled = completeVariables(contract, await received(result.template, variables));
      const expected = rendered[index];
      expect(normalise(renderMustache(html, filled, { escape: "html" }))).toBe(
        normalise(expected && "html" in expected ? expected.html : JSON.stringify(expected)),
      );
    }
  });
});

function build(): Promise<CompileResult[]> {
  return compileAll(loadTemplates([root]).templates, projects.context({ folder: path.dirname(root) }));
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

/** Follows a hint literally. */
async function paste(hint: string, folder: string): Promise<void> {
  const [, ...steps] = hint.split(/^(Create|Add to the end of|Change) (.+?)(?: \(current .*\))?:\n\n/m);
  for (let step = 0; step < steps.length; step += 3) {
    const [what, file = "", text = ""] = steps.slice(step, step + 3);
    const place = path.join(folder, file);
    const before = what === "Create" ? "" : await readFile(place, "utf8");
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, what === "Change" ? withLines(before, text) : `${before}\n${text.trimEnd()}\n`);
  }
}

function withLines(before: string, text: string): string {
  const lines = before.split("\n");
  const [, ...changes] = text.trimEnd().split(/^Lines? (\d+)(?:-(\d+))?:\n/m);
  for (let change = changes.length - 3; change >= 0; change -= 3) {
    const [from = "", to = from, written = ""] = changes.slice(change, change + 3);
    lines.splice(Number(from) - 1, Number(to) - Number(from) + 1, written.replace(/\n+$/, ""));
  }
  return lines.join("\n");
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

function problemsOf(result: CompileResult | undefined): string {
  return JSON.stringify(result?.diagnostics satisfies readonly Diagnostic[] | undefined, null, 1);
}
