import type { Diagnostic } from "../../diagnostic.js";
import { type Bundle, bundleModule, type ModuleTransform } from "../../modules/bundle.js";
import { ModuleError } from "../../modules/module-error.js";
import type { Task } from "../../modules/task.js";
import type { Template } from "../../template/template.js";
import type { VariablesModule } from "../../template/variables-module.js";
import type { CompileContext, EngineOutput } from "../engine.js";
import type { compileComponent, CompileOutput } from "./compile-task.js";
import { describe, positionOf } from "./describe.js";
import { requireReact } from "./peers.js";
import { receivedVariables } from "./received.js";
import { reservedCharacters } from "./reserved.js";
import { rewriteModule } from "./rewrite/rewrite.js";

const COMPILE: Task<typeof compileComponent> = {
  module: new URL("./compile-task.js", import.meta.url),
  name: "compileComponent",
};

/**
 * Renders a React component once for all emails: in the place of its variables it is given symbolic values, which print
 * as tags, make sections of `.map` and of choices, and tell where a component asks for more than Mustache can do.
 *
 * @example
 * const { html, tags, conditions, diagnostics } = await compileReact(template, context);
 *
 * @param variables What the template's `variables.ts` says; without it, it is read.
 * @throws {MissingPeerError} React or rolldown is not installed.
 */
export async function compileReact(
  template: Template,
  context: CompileContext,
  variables?: VariablesModule,
): Promise<EngineOutput> {
  requireReact(template);
  const texts = new Map<string, string>();
  const rewrite: ModuleTransform = (module) => {
    texts.set(module.file, module.code);
    rewriteModule(module);
  };
  let bundle: Bundle | undefined;
  try {
    bundle = await bundleModule(template.body.file, { transform: rewrite });
    const reserved = reservedCharacters(template.name, texts);
    if (reserved.length > 0) return failed(template, bundle.sources, reserved);
    const received = await receivedVariables(template, context, variables);
    const output = await context.host.run(COMPILE, { bundle, ...received });
    if (output === "no component") return failed(template, bundle.sources, [noComponent(template)]);
    return toEngineOutput(output, template, { files: bundle.sources, texts });
  } catch (error) {
    if (!(error instanceof ModuleError)) throw error;
    const diagnostic = error.toDiagnostic("react-component", template.name);
    const sources = bundle?.sources ?? [...texts.keys()];
    return failed(template, sources, [bundle ? { hint: PLACEHOLDERS, ...diagnostic } : diagnostic]);
  }
}

const PLACEHOLDERS =
  "It ran with placeholders in the place of its variables. If it works with real ones, a package can't do with these: compute what it gives in derive (variables.ts).";

interface Sources {
  readonly files: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
}

function toEngineOutput(output: CompileOutput, template: Template, { files, texts }: Sources): EngineOutput {
  const { html, title, tags, conditions, findings, previewProps } = output;
  const { name, body } = template;
  const preview = previewProps && "variables" in previewProps ? previewProps.variables : undefined;
  return {
    html: findings.length > 0 ? "" : html,
    tags: tags.map(({ text, site }) => ({ text, at: site ? positionOf(site, texts) : { file: body.file } })),
    ...(title !== "" && { title }),
    conditions,
    ...(preview && { previewProps: preview }),
    sources: files,
    diagnostics: [
      ...findings.map((finding) => describe(finding, { template: name, file: body.file, sources: texts })),
      ...(previewProps && "problem" in previewProps ? previewProblem(previewProps.problem, template) : []),
    ],
  };
}

function failed({ body }: Template, sources: readonly string[], diagnostics: readonly Diagnostic[]): EngineOutput {
  return { html: "", tags: [], sources: sources.length > 0 ? sources : [body.file], diagnostics };
}

function noComponent({ name, body }: Template): Diagnostic {
  return {
    rule: "react-component",
    severity: "error",
    message: "The file exports no component by default.",
    template: name,
    at: { file: body.file },
    hint: "Write `export default function Email(props) { … }`.",
  };
}

/** Fixtures are used instead, where there are any. */
function previewProblem(message: string, { name, body, fixtures }: Template): Diagnostic[] {
  if (fixtures.length > 0) return [];
  const hint = "Give the template fixtures, or PreviewProps that JSON can hold.";
  return [{ rule: "react-preview-props", severity: "error", message, template: name, at: { file: body.file }, hint }];
}
