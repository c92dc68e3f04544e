import type { Cache } from "../cache/cache.js";
import type { Diagnostic, SourcePosition } from "../diagnostic.js";
import type { ModuleHost } from "../modules/host.js";
import type { OwnName } from "../mustache/own-names.js";
import type { TagTable } from "../mustache/tokens.js";
import type { Condition, Variables, VariablesContract } from "../mustache/variables.js";
import type { Template } from "../template/template.js";
import type { MjmlLibrary } from "./mjml/library.js";
import type { Locate, Place } from "./source/locate.js";
import type { VariablesModule } from "../template/variables-module.js";

/** What compiling needs besides the template: the same for every template of one run. */
export interface CompileContext {
  /** Runs the project's own modules. */
  readonly host: ModuleHost;
  /** The project's folder, absolute: what locations in messages are relative to, and where peers are resolved. */
  readonly folder: string;
  /** BCP 47, for `derive`. */
  readonly locale: string;
  /** IANA name, for `derive`. */
  readonly timeZone: string;
  /** Where images will be found; without it their addresses stay relative, as `build` copies them. */
  readonly assets?: { readonly baseUrl: string };
  /** Compiled templates of earlier runs. */
  readonly cache?: Cache;
  /** All templates that are compiled in this run: what they share, an engine may do once for all. */
  readonly together?: readonly Template[];
  /** Renders MJML in a thread of its own. */
  readonly mjml?: Pick<MjmlLibrary, "render">;
  /**
   * Whether elements are to tell where they were written, in an attribute that `EngineOutput.places` explains. Without
   * the attribute (`withoutSites`) the html is the same. Default false.
   */
  readonly sited?: boolean;
}

/** A name of items, and where the source has it. */
export interface SitedOwnName extends OwnName {
  readonly at: SourcePosition;
}

/** A body as html, every tag still a token. */
export interface EngineOutput {
  /** Tokenised. Empty where `diagnostics` holds an error that left nothing to go on with. */
  readonly html: string;
  /** What the tokens of `html` and `title` stand for. */
  readonly tags: TagTable;
  /**
   * The numbers of the tags that `html` or `title` must hold, in the order of the source: so each is held to stay in
   * the sections that it was written in. Without it all of `tags` must be there, in whatever sections they are.
   */
  readonly expected?: readonly number[];
  /**
   * Tokenised plain text, entities decoded: the subject that the body itself brings (`mj-title`, `<title>`,
   * `export const subject`).
   */
  readonly title?: string;
  /** The booleans with reserved names that sections of `html` ask for. */
  readonly conditions?: readonly Condition[];
  /** Names in sections that are the items' own, although nothing shows that items have them. */
  readonly ownNames?: readonly SitedOwnName[];
  /** A component's `PreviewProps`. */
  readonly previewProps?: Variables;
  /** Where a part of `html` without tags was written, where the engine knows. */
  readonly locate?: Locate;
  /**
   * In a sited compile: where the `<` of each element was written whose `data-lettershop-at` is the index here. What a
   * compiler adds by itself has no such attribute.
   */
  readonly places?: readonly Place[];
  /** Every file that was read, absolute. */
  readonly sources: readonly string[];
  /** Names of the environment variables that the body's own code read, sorted. */
  readonly environment?: readonly string[];
  /** Where the body's own code asks for the time or for chance. */
  readonly moments?: readonly SourcePosition[];
  readonly diagnostics: readonly Diagnostic[];
  /** Finds what is wrong only for some types of variables. */
  readonly checkContract?: (contract: VariablesContract) => readonly Diagnostic[];
}

/**
 * Turns a template's body into html: one for each kind of body. Never throws for what is in a user's file.
 *
 * @param readVariables Gives what the template's `variables.ts` says; an engine asks where that decides what it prints.
 */
export type Engine = (
  template: Template,
  context: CompileContext,
  readVariables: () => Promise<VariablesModule | undefined>,
) => Promise<EngineOutput>;
