import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { hasErrors, type Diagnostic } from "../../../src/diagnostic.js";
import type { ModuleHost } from "../../../src/process/host.js";
import { inferSchema } from "../../../src/mustache/infer.js";
import { restore } from "../../../src/mustache/tokens.js";
import type { Variables, VariablesContract, VariablesSchema } from "../../../src/mustache/variables.js";
import type { CompileContext, EngineOutput } from "../../../src/render/engine.js";
import { compileReact } from "../../../src/render/react/engine.js";
import { checkOracle, checkVariations } from "../../../src/render/react/oracle/oracle.js";
import { type OracleFailure, Trial } from "../../../src/render/react/oracle/trial.js";
import { compactHtml } from "../../../src/render/bodies.js";
import { completeAll } from "../../../src/render/computed/complete-variables.js";
import type { FilledFixture, Template } from "../../../src/project/template.js";
import { removeFolder } from "../../remove-folder.js";
import { sharedHost } from "../project.js";

const installed = fileURLToPath(new URL("../../../node_modules/", import.meta.url));
/** Varies each fixture of a template, not only the first. */
const long = process.env["MODE"] === "long";
const PACKAGES = ["react", "react-dom", "@react-email", "lettershop"];

export interface CompiledSource {
  readonly output: EngineOutput;
  /** As Mustache, without the document type. */
  readonly html: string;
  readonly subject: string | undefined;
  readonly template: Template;
  readonly schema: VariablesSchema | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

interface SourceOptions {
  readonly fixtures?: Readonly<Record<string, Variables>>;
  /** The schema that a `variables.ts` would define. */
  readonly schema?: VariablesSchema;
  /** Replaces text in the JSON of what is computed, as a mistake of the compiler would. */
  readonly spoil?: readonly [text: string, by: string];
}

interface TemplateOptions extends Pick<SourceOptions, "schema" | "spoil"> {
  /** It and others, whose modules are bundled together, because bundling many templates takes most of the time. */
  readonly together?: readonly Template[];
}

/** A project on disk with React installed, whose templates are compiled as usual. */
export class Project {
  readonly folder: string;
  readonly context: CompileContext;
  #templates = 0;

  private constructor(folder: string) {
    this.folder = folder;
    const another = (): ModuleHost => sharedHost("later");
    this.context = { host: { ...sharedHost("first"), another }, folder, locale: "en-US", timeZone: "UTC" };
  }

  /** Removed after the test file. */
  static async make(packages: readonly string[] = PACKAGES): Promise<Project> {
    const folder = await mkdtemp(path.join(tmpdir(), "letter shop "));
    const project = new Project(folder);
    for (const name of packages) await project.#link(name);
    afterAll(() => removeFolder(folder));
    return project;
  }

  /** Writes a file. */
  async add(name: string, text: string): Promise<string> {
    const file = path.join(this.folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  }

  async template(source: string, { fixtures = {} }: SourceOptions = {}): Promise<Template> {
    this.#templates += 1;
    const name = `template-${this.#templates}`;
    const file = await this.add(`templates/${name}.tsx`, source);
    const root = path.join(this.folder, "templates");
    return {
      name,
      engine: "react",
      root,
      folder: root,
      body: { file, text: source },
      metadata: {},
      fixtures: Object.entries(fixtures).map(([fixture, variables]) => ({
        name: fixture,
        variables,
        source: { file: `${file}.${fixture}.json`, text: JSON.stringify(variables) },
      })),
    };
  }

  async compile(source: string, options: SourceOptions = {}): Promise<CompiledSource> {
    return this.compileTemplate(await this.template(source, options), options);
  }

  async compileTemplate(template: Template, { schema, together = [] }: TemplateOptions = {}): Promise<CompiledSource> {
    const module = schema && {
      schema,
      hasDerive: false,
      fixtures: [],
      sources: [],
      diagnostics: [],
    };
    const withFile = schema ? { ...template, variablesFile: "variables.ts" } : template;
    const output = await compileReact(withFile, { ...this.context, together }, async () => module);
    return {
      output,
      template,
      schema,
      html: restore(compactHtml(output.html), output.tags, "html").replace(/^<!DOCTYPE[^>]*>/, ""),
      subject: output.title === undefined ? undefined : restore(output.title, output.tags, "text"),
      diagnostics: output.diagnostics,
    };
  }

  /** Compiles a template and compares it with React's output. */
  async prove(source: string, options: SourceOptions = {}): Promise<CompiledSource> {
    const template = await this.template(source, options);
    return this.proveTemplate(template, options);
  }

  async proveTemplate(template: Template, options: TemplateOptions = {}): Promise<CompiledSource> {
    const { schema, together = [], spoil } = options;
    const right = await this.compileTemplate(template, options);
    if (hasErrors(right.diagnostics)) return right;
    const compiled = spoil ? spoiled(right, spoil) : right;
    const { contract, fixtures } = await filled(compiled, { template, schema, context: this.context });
    const { output } = compiled;
    const html = { text: compactHtml(output.html), tags: output.tags };
    const { moments = [] } = output;
    const input = { template, html, fixtures, contract, context: { ...this.context, together }, moments };
    const found = await checkOracle(input);
    const varied = long ? fixtures : fixtures.slice(0, 1);
    const differences = found.length > 0 ? found : await checkVariations({ ...input, fixtures: varied });
    return { ...compiled, diagnostics: [...compiled.diagnostics, ...differences] };
  }

  /** The variables for which the compiled template differs from what React renders. */
  async failures(compiled: CompiledSource, variables: readonly Variables[]): Promise<OracleFailure[]> {
    const { template, schema, output } = compiled;
    const { contract } = contractOf(compiled, template, schema);
    const completed = await completeAll(
      template,
      contract,
      variables.map((input) => ({ input })),
      this.context,
    );
    const body = restore(compactHtml(output.html), output.tags, "html");
    const trial = new Trial({ template, htmlBody: body, contract, context: this.context });
    return trial.run(
      variables.map((received, index) => ({
        name: JSON.stringify(received),
        severity: "error",
        received,
        filled: completed[index] ?? {},
      })),
    );
  }

  async #link(name: string): Promise<void> {
    const target =
      name === "lettershop" ? fileURLToPath(new URL("../../../", import.meta.url)) : path.join(installed, name);
    const place = path.join(this.folder, "node_modules", name);
    await mkdir(path.dirname(place), { recursive: true });
    await symlink(target, place, "junction");
  }
}

function spoiled(compiled: CompiledSource, [text, by]: readonly [string, string]): CompiledSource {
  const { conditions = [] } = compiled.output;
  const before = JSON.stringify(conditions);
  if (!before.includes(text)) throw new Error(`${text} is not in ${before}`);
  return { ...compiled, output: { ...compiled.output, conditions: JSON.parse(before.replace(text, by)) } };
}

function contractOf({ output, html }: CompiledSource, { fixtures }: Template, schema: VariablesSchema | undefined) {
  const written = fixtures.map(({ name, variables }) => ({ name, input: variables }));
  const examples =
    written.length > 0 || !output.previewProps ? written : [{ name: "preview", input: output.previewProps }];
  const { conditions = [], ownNames = [] } = output;
  const passed = examples.map((example) => example.input);
  const input = schema ?? inferSchema([html], passed, conditions, ownNames);
  const contract: VariablesContract = { input, conditions };
  return { contract, examples };
}

interface FillingOptions {
  readonly template: Template;
  readonly schema: VariablesSchema | undefined;
  readonly context: CompileContext;
}

async function filled(compiled: CompiledSource, { template, schema, context }: FillingOptions) {
  const { contract, examples } = contractOf(compiled, template, schema);
  const completed = await completeAll(template, contract, examples, context);
  const fixtures = examples.map((example, index): FilledFixture => ({ ...example, variables: completed[index] ?? {} }));
  return { contract, fixtures };
}

/** A component whose body is one element, and the variables to render it with. */
export function component(markup: string, before = ""): string {
  return `${before}\nexport default function Email(props) {\n  return <div>${markup}</div>;\n}\n`;
}
