import type { AssetsConfig } from "../../config/define.js";
import type { Project } from "../../config/load.js";
import type { Diagnostic } from "../../diagnostic.js";
import type { CompileContext } from "../../render/engine.js";
import type { SitedHtml } from "../../render/source/sites.js";
import type { Variables } from "../../mustache/variables.js";
import type { LoadedTemplates } from "../../template/load.js";
import type { CompiledTemplate } from "../../template/template.js";
import type { WriteFile } from "./fixtures/write-file.js";
import type {
  DeployedTemplate,
  EnvironmentChoice,
  MailDetail,
  MailSummary,
  NewTemplateAnswer,
  NewTemplateRequest,
  OtherService,
  RemoteReport,
  RenameAnswer,
  SendAnswer,
  Starter,
  TemplateCommits,
} from "../contract.js";

/*
 * What the preview is handed: it neither finds a project by itself, nor does it know keys.
 */

/** How the preview gets at the project. */
export interface ProjectAccess {
  /** Absolute, links resolved. */
  readonly folder: string;
  /** What lettershop keeps for the project. */
  readonly dataFolder: string;
  /**
   * Reads the configuration, as it is now.
   *
   * @throws {LettershopError} It cannot be used; what a person is told.
   */
  open(): Promise<OpenedProject>;
  /** What `open` reads, where it failed, too. Absolute paths; some may not be there. */
  configurationFiles(): readonly string[];
  /** Of lettershop. */
  readonly version: string;
}

/** A project with a worker for its modules, until it is closed. */
export interface OpenedProject {
  readonly project: Project;
  /** Where images will be in what the preview compiles; absent where nothing says so. */
  readonly assets: AssetsConfig | undefined;
  /** For compiling now: what it remembers of files, it has looked at once. */
  context(assets: AssetsConfig | undefined): CompileContext;
  /** Finds what `templates check` does: in these templates alone, or (`isWhole`) in the project. Others needn't wait for it. */
  check(loaded: LoadedTemplates, isWhole: boolean): Promise<Checked>;
  /** Gives back what this project keeps open. */
  close(): Promise<void>;
}

export interface Checked {
  /** What comments and the configuration leave. */
  readonly diagnostics: readonly Diagnostic[];
  /** Of few templates. */
  readonly sited: readonly SitedTemplate[];
}

/** Where the elements of a compiled template's html were written. */
export interface SitedTemplate {
  readonly name: string;
  /** The compiled template's. */
  readonly hash: string;
  readonly sited: SitedHtml;
}

/** What needs a key, the local service or the user's own machine. What is absent, the page does not offer. */
export interface PreviewAccess {
  /** `local` first. Never with keys. */
  environments(): Promise<readonly EnvironmentChoice[]>;
  readonly inbox?: InboxAccess;
  readonly mailer?: MailerAccess;
  readonly remote?: RemoteAccess;
  readonly commits?: CommitsAccess;
  /** Writes fixtures and the preferences. Default: this process does. */
  readonly writeFile?: WriteFile;
  readonly templates?: TemplateFiles;
  /** @param file Absolute; one of the project. */
  openEditor?(file: string, line?: number, column?: number): Promise<void>;
}

/** Adds and renames templates, in the project's templates roots. Nothing that is there is overwritten. */
export interface TemplateFiles {
  /** What a new one can begin as. */
  starters(): Promise<readonly Starter[]>;
  /** @throws {LettershopError} The name is not a valid one, or something is in the way; so does `rename`. */
  create(template: NewTemplateRequest): Promise<NewTemplateAnswer>;
  rename(from: string, to: string): Promise<RenameAnswer>;
}

/** What the local service captured. */
export interface InboxAccess {
  /** Newest first, at most 200; none where the service does not answer. */
  list(): Promise<readonly MailSummary[]>;
  open(id: string): Promise<MailDetail | undefined>;
  attachment(id: string, index: number): Promise<MailAttachmentContent | undefined>;
  /** How many there are, those that are not listed too. */
  count(): Promise<number>;
  /** Nothing where it is gone already. */
  delete(id: string): Promise<void>;
  /** Deletes those that are not listed, too. */
  deleteAll(): Promise<void>;
  /**
   * @param listener Is told at once whether the project's service answers, and which other project's does in its place.
   * @returns Ends it.
   */
  watch(listener: {
    mail(mail: MailSummary): void;
    /** Whoever did it. */
    deleted(): void;
    reachable(isReachable: boolean, other?: OtherService): void;
  }): () => void;
}

export interface MailAttachmentContent {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

export interface MailerAccess {
  /** Where an environment's images are. */
  assets(environment: string): Promise<AssetsConfig | undefined>;
  send(message: FilledMessage): Promise<SendAnswer>;
}

/** One mail to send, as its recipient will read it. */
export interface FilledMessage {
  readonly template: string;
  readonly environment: string;
  readonly to: string;
  /** Whether the person said yes, where the environment asks. */
  readonly isConfirmed: boolean;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** What filled it: so that the inbox can open the template with it again. */
  readonly input: Variables;
}

export interface RemoteAccess {
  /**
   * Undefined where the environment does not have it.
   *
   * @throws {LettershopError} Nobody knows; what a person is told.
   */
  deployed(template: string, environment: string): Promise<DeployedTemplate | undefined>;
  /** @param compile Compiles the template with the images of an environment. */
  reports(
    template: string,
    compile: (assets: AssetsConfig | undefined) => Promise<CompiledTemplate | undefined>,
  ): Promise<readonly RemoteReport[]>;
}

/** The history of what is checked out. */
export interface CommitsAccess {
  /** @param files Absolute: what a template is made of, its body first. Renames of the body are followed. */
  list(files: readonly string[]): Promise<TemplateCommits>;
  /**
   * Lends out the project as it was at a commit, with the packages of today.
   *
   * @param hash In hex, perhaps abbreviated.
   * @throws {LettershopError} There is no such commit in the history, or no project in it; what a person is told.
   */
  withProject<Result>(hash: string, use: (project: CommittedProject) => Promise<Result>): Promise<Result>;
}

export interface CommittedProject extends Pick<OpenedProject, "project" | "context"> {
  /** Where one of today's files was then, if it was there: renames are followed. Both absolute. */
  fileThen(file: string): Promise<string>;
}
