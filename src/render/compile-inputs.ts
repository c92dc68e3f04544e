import type { Inputs } from "../cache/inputs.js";
import { installedInputs, moduleInputs } from "../modules/module-inputs.js";
import type { Template } from "../template/template.js";
import type { VariablesModule } from "../template/variables-module.js";
import type { CompileContext, EngineOutput } from "./engine.js";
import type { WrittenText } from "./text/body.js";

export interface CompiledFrom {
  readonly template: Template;
  readonly output: EngineOutput;
  readonly module: VariablesModule | undefined;
  readonly written: WrittenText | undefined;
  readonly places: ReadonlySet<string>;
}

/** What a template was compiled from, in addition to its own files. */
export function inputsOf(from: CompiledFrom, { folder }: CompileContext): Inputs {
  const { template, output, module, written, places } = from;
  const modules = [...(template.engine === "react" ? output.sources : []), ...(module?.sources ?? [])];
  const { files, stems, trees } = moduleInputs(modules);
  const ownFiles = new Set(filesOf(template));
  const others = [...output.sources, ...(written?.sources ?? []), ...files, ...installedInputs([folder])];
  return {
    files: [...new Set(others)].filter((file) => !ownFiles.has(file)).sort(),
    places: [...places].sort(),
    stems: [...new Set([...stems, ...(module?.missing ?? [])])],
    trees,
    environment: [...new Set([...(output.environment ?? []), ...(module?.environment ?? [])])].sort(),
  };
}

/** Every file that a compiled template was made from, absolute, sorted. */
export function sourcesOf({ template, output, module, written }: Omit<CompiledFrom, "places">): string[] {
  const { variablesFile } = template;
  const files = [
    ...output.sources,
    ...(written?.sources ?? []),
    ...(variablesFile === undefined ? [] : [variablesFile]),
    ...(module?.sources ?? []),
    ...filesOf(template),
  ];
  return [...new Set(files)].sort();
}

/** The template's own files. */
function filesOf({ body, text, metadataSource, fixtures }: Template): string[] {
  const sources = [body, ...(text ? [text] : []), ...(metadataSource ? [metadataSource] : [])];
  return [...sources, ...fixtures.map(({ source }) => source)].map(({ file }) => file);
}
