import type { Cache } from "../cache/cache.js";
import type { Diagnostic, SourcePosition } from "../diagnostic.js";
import type { ModuleHost } from "../process/host.js";
import type { OwnName } from "../mustache/check-variables.js";
import type { TagTable } from "../mustache/tokens.js";
import type { Condition, Variables, VariablesContract } from "../mustache/variables.js";
import type { ComputedSource } from "../project/computed-source.js";
import type { Template } from "../project/template.js";
import type { Findings } from "./findings.js";
import type { MjmlLibrary } from "./mjml/library.js";
import type { Locate, RecordedPosition } from "./source/mapped-text.js";
import type { VariablesModule } from "../project/variables-module.js";

/** Options for compiling, the same for every template of one run. */
export interface CompileContext {
  /** Runs the project's own modules. */
  readonly host: ModuleHost;
  /** The project's folder, absolute: positions in messages are relative to it, and peers are resolved from it. */
  readonly folder: string;
  /** BCP 47, for `derive` and for code that names no locale. */
  readonly locale: string;
  /** IANA name, for `derive` and for code that names no time zone. */
  readonly timeZone: string;
  /** Where images will be hosted; without it, their URLs stay relative to the folder to which `build` copies them. */
  readonly assets?: { readonly baseUrl: string };
  /** Compiled templates of earlier runs. */
  readonly cache?: Cache;
  /** All templates compiled in this run: an engine may process what they share once. */
  readonly together?: readonly Template[];
  /** Renders MJML in a separate thread. */
  readonly mjml?: Pick<MjmlLibrary, "render">;
  /**
   * Whether elements have an attribute with their source position, as an index of `EngineOutput.places`. Without the
   * attribute (`withoutSites`), the HTML is the same. Default false.
   */
  readonly sited?: boolean;
}

/** A name that belongs to items, with its source position. */
export interface PositionedOwnName extends OwnName {
  readonly at: SourcePosition;
}

/** A body as HTML, with tokens instead of tags. */
export interface EngineOutput {
  /** Tokenised. Empty if `diagnostics` contains an error that made it impossible to continue. */
  readonly html: string;
  /** The tags of the tokens in `html` and `title`. */
  readonly tags: TagTable;
  /**
   * The numbers of the tags that `html` or `title` must contain, in source order; each must stay in its sections. Without
   * it, all of `tags` must be present, in any sections.
   */
  readonly expected?: readonly number[];
  /**
   * The subject from the body itself (`mj-title`, `<title>`, `export const subject`), as tokenised plain text with decoded
   * entities.
   */
  readonly title?: string;
  /** The conditions that sections of `html` test. */
  readonly conditions?: readonly Condition[];
  /** Where the computed values among them are in the source code, in their order. */
  readonly computed?: readonly ComputedSource[];
  /** Names in sections that belong to the items, although there is no other evidence that items have them. */
  readonly ownNames?: readonly PositionedOwnName[];
  /** A component's `PreviewProps`. */
  readonly previewProps?: Variables;
  /** Finds the source position of a part of `html` without tags, if the engine can. */
  readonly locate?: Locate;
  /**
   * In a sited compile: the source positions of elements, indexed by their `data-lettershop-at`. Elements added by a compiler
   * don't have the attribute.
   */
  readonly places?: readonly RecordedPosition[];
  /** Every file that was read, absolute. */
  readonly sources: readonly string[];
  /** Names of the environment variables that the body's own code read, sorted. */
  readonly environment?: readonly string[];
  /** Where the body's own code reads the time or random numbers. */
  readonly moments?: readonly SourcePosition[];
  readonly diagnostics: readonly Diagnostic[];
  /** Checks for problems that depend on the variables' types. */
  readonly checkContract?: (contract: VariablesContract, findings: Findings) => void;
}

/**
 * Turns a template's body into HTML: one for each kind of body. Never throws for errors in user files.
 *
 * @param readVariables Reads the template's `variables.ts`, for engines whose output depends on it.
 */
export type Engine = (
  template: Template,
  context: CompileContext,
  readVariables: () => Promise<VariablesModule | undefined>,
) => Promise<EngineOutput>;

/** The engine of a template. A compiler is loaded only when a template needs it. */
export function engineOf({ engine }: Template): Promise<Engine> {
  return ENGINES[engine]();
}

const ENGINES: Readonly<Record<Template["engine"], () => Promise<Engine>>> = {
  mjml: async () => (await import("./mjml/engine.js")).compileMjml,
  html: async () => (await import("./html/engine.js")).compileHtml,
  react: async () => (await import("./react/engine.js")).compileReact,
};
