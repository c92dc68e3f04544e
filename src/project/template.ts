import type { DeriveContext } from "./registry-types.js";
import type { ComputedSource } from "./computed-source.js";
import type { Diagnostic } from "../diagnostic.js";
import type { Variables, VariablesContract } from "../mustache/variables.js";
import { createHash } from "node:crypto";

/** What templates can be written in. */
export const ENGINE_NAMES = ["mjml", "react", "html"] as const;

export type Engine = (typeof ENGINE_NAMES)[number];

/** A text file: line ends normalised to `\n`, byte order mark removed, unless it is read verbatim. */
export interface SourceFile {
  /** Absolute path. */
  readonly file: string;
  readonly text: string;
}

/** The members of `template.json`, all optional. */
export interface Metadata {
  readonly subject?: string;
  readonly description?: string;
  /** The name that this template had before; sync renames instead of creating. */
  readonly renamedFrom?: string;
  /** BCP 47, for `lang`. */
  readonly locale?: string;
  readonly direction?: "ltr" | "rtl";
  readonly priority?: "high" | "normal";
  /** A duration such as `10m`, after which sending is no longer worth it. */
  readonly expiresAfter?: string;
  readonly onUnknown?: "park" | "resend";
  /**
   * Whether body, text and subject are sent to the service unchanged, character for character, for templates made
   * elsewhere. HTML only.
   */
  readonly verbatim?: boolean;
}

/** A named example of what the application passes. */
export interface Fixture {
  readonly name: string;
  readonly source: SourceFile;
  readonly variables: Variables;
}

/** A template as it is on disk, before anything is compiled. */
export interface Template {
  readonly name: string;
  readonly engine: Engine;
  /** The templates root that it was found in, absolute, links resolved. */
  readonly root: string;
  /** The template's own folder, or the root for the flat form. */
  readonly folder: string;
  readonly body: SourceFile;
  /** The hand-written text body. */
  readonly text?: SourceFile;
  readonly metadata: Metadata;
  /** `template.json`, where there is one. */
  readonly metadataSource?: SourceFile;
  /** Absolute path of `variables.ts`, where there is one. */
  readonly variablesFile?: string;
  readonly fixtures: readonly Fixture[];
}

/** A template with errors: what could be read. Body and engine are absent if its folder has no body, or more than one. */
export type UnusableTemplate = Omit<Template, "engine" | "body"> & Partial<Pick<Template, "engine" | "body">>;

/** What the service stores for a template; every string is still Mustache. Names as in the API. */
export interface TemplateFields {
  readonly name: string;
  readonly description: string;
  readonly subject: string;
  readonly html_body: string;
  readonly text_body: string;
}

/** A template ready for the service, with what is needed to fill it. */
export interface CompiledTemplate extends TemplateFields {
  readonly engine: Engine;
  readonly contract: VariablesContract;
  /** Where the computed values of the contract are in the source code, in their order. */
  readonly computed: readonly ComputedSource[];
  /** The fixtures, derived variables included: ready to fill the tags. */
  readonly fixtures: readonly FilledFixture[];
  /** What the fixtures were derived and computed for. */
  readonly context: DeriveContext;
  /** Every file that it was made from, absolute, sorted: the files to watch. */
  readonly sources: readonly string[];
  /** SHA-256 over the fields, in hex. */
  readonly hash: string;
}

/** A fixture as the application passes it and with what `derive` adds. */
export interface FilledFixture {
  readonly name: string;
  readonly input: Variables;
  /** `input` with derived variables, conditions and explicit nulls. */
  readonly variables: Variables;
}

/** The result for one template. `compiled` is absent if there was an error. */
export interface CompileResult {
  readonly name: string;
  readonly template: Template;
  readonly compiled?: CompiledTemplate;
  readonly diagnostics: readonly Diagnostic[];
  /** Made-up variables, if an example of them is all that the template lacks. */
  readonly sample?: Variables;
}

/** A compiled template's `hash`: SHA-256 over its fields, in hex. */
export function templateHash({ name, description, subject, html_body, text_body }: TemplateFields): string {
  return createHash("sha256")
    .update(JSON.stringify([name, description, subject, html_body, text_body]))
    .digest("hex");
}
