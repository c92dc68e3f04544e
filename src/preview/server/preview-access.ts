import type { MailListener } from "../captured-mails.js";
import type { AssetsConfig } from "../../project/config.js";
import type { Project } from "../../project/load-project.js";
import type { Diagnostic } from "../../diagnostic.js";
import type { CompileContext } from "../../render/engine.js";
import type { PositionedHtml } from "../../render/source/mapped-text.js";
import type { Variables } from "../../mustache/variables.js";
import type { LoadedTemplates } from "../../project/load-templates.js";
import type { CompiledTemplate } from "../../project/template.js";
import type { WriteFile } from "./fixtures/write-file.js";
import type {
  DeployedTemplate,
  DescribedMessage,
  EnvironmentChoice,
  MailDetail,
  MailFolder,
  MailSummary,
  NewTemplateAnswer,
  NewTemplateRequest,
  OutboxQuery,
  OutboxReport,
  RemoteReport,
  RenameAnswer,
  SendAnswer,
  Starter,
  TemplateCommits,
} from "../contract.js";

/*
 * Access that the preview is given from outside: it does not find the project by itself and does not know any keys.
 */

/** Access to the project. */
export interface ProjectAccess {
  /** Absolute, with links resolved. */
  readonly folder: string;
  /** The folder in which lettershop stores data for the project. */
  readonly dataFolder: string;
  /**
   * Reads the current configuration.
   *
   * @throws {LettershopError} The configuration cannot be used. The message is shown to the user.
   */
  open(): Promise<OpenedProject>;
  /** The files that `open` reads, even if it failed. Absolute paths; some files may not exist. */
  configurationFiles(): readonly string[];
}

/** A project with a worker for its modules. Must be closed. */
export interface OpenedProject {
  readonly project: Project;
  /** Base URL of images in what the preview compiles. Undefined if none is configured. */
  readonly assets: AssetsConfig | undefined;
  /** A context for compiling now. It checks each file for changes only once. */
  context(assets: AssetsConfig | undefined): CompileContext;
  /**
   * Runs the rules of `templates check` on these templates alone or, with `isWhole`, on the project. Does not block
   * other work.
   */
  check(loaded: LoadedTemplates, isWhole: boolean): Promise<Checked>;
  /** Releases the project's resources. */
  close(): Promise<void>;
}

export interface Checked {
  /** After silences and configured severities were applied. */
  readonly diagnostics: readonly Diagnostic[];
  /** Only filled for a few templates. */
  readonly sited: readonly SitedTemplate[];
}

/** Where the elements of a compiled template's HTML were written. */
export interface SitedTemplate {
  readonly name: string;
  /** Hash of the compiled template. */
  readonly hash: string;
  readonly sited: PositionedHtml;
}

/**
 * Access that needs a key, the local service or the user's machine. The page hides features whose access is missing.
 */
export interface PreviewAccess {
  /** `local` comes first. Never contains keys. */
  environments(): Promise<readonly EnvironmentChoice[]>;
  readonly inbox?: InboxAccess;
  readonly outbox?: OutboxAccess;
  readonly mailer?: MailerAccess;
  readonly remote?: RemoteAccess;
  readonly commits?: CommitsAccess;
  /** Writes fixtures and preferences. Default: this process writes them. */
  readonly writeFile?: WriteFile;
  readonly templates?: TemplateFiles;
  /** @param file Absolute path of one of the project's files. */
  openEditor?(file: string, line?: number, column?: number): Promise<void>;
}

/** Adds and renames templates in the project's templates roots. Never overwrites existing files. */
export interface TemplateFiles {
  /** Starters that a new template can be created from. */
  starters(): Promise<readonly Starter[]>;
  /**
   * @throws {LettershopError} The name is invalid, or a file or template is in the way. The same applies to `rename`.
   */
  create(template: NewTemplateRequest): Promise<NewTemplateAnswer>;
  rename(from: string, to: string): Promise<RenameAnswer>;
}

/** Emails captured by the local service. */
export interface InboxAccess {
  /**
   * A folder's newest emails, or those before one, by its `seq`; newest first, at most 200. Empty if the service does not
   * respond.
   */
  list(folder: MailFolder, before?: number): Promise<readonly MailSummary[]>;
  open(id: string): Promise<MailDetail | undefined>;
  /** The whole email as a file. */
  source(id: string): Promise<Uint8Array | undefined>;
  attachment(id: string, index: number): Promise<MailAttachmentContent | undefined>;
  /** Number of all emails in a folder, including those that are not listed. */
  count(folder: MailFolder): Promise<number>;
  /** Does nothing if the email was already deleted. */
  delete(id: string): Promise<void>;
  /** Deletes all emails in a folder, including those that are not listed. */
  deleteAll(folder: MailFolder): Promise<void>;
  /**
   * @param listener Called at once with the project's service if it responds, or with which other project's service runs
   * in its place.
   * @returns Stops watching.
   */
  watch(listener: MailListener): () => void;
}

/** The messages in the mailer's store, read-only. Nothing is opened before the first call. */
export interface OutboxAccess {
  read(query: OutboxQuery): Promise<OutboxReport>;
  /** @throws {LettershopError} The message does not exist, or the store can't be read. */
  message(id: string): Promise<DescribedMessage>;
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

/** An email to send, filled and ready. */
export interface FilledMessage {
  readonly template: string;
  readonly environment: string;
  readonly to: string;
  /** Whether the user has confirmed, for environments that ask for confirmation. */
  readonly isConfirmed: boolean;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** The variables it was filled with, so that the inbox can open the template with them. */
  readonly input: Variables;
}

export interface RemoteAccess {
  /**
   * Undefined if the template is not in the environment.
   *
   * @throws {LettershopError} The environment could not be read. The message is shown to the user.
   */
  deployed(template: string, environment: string): Promise<DeployedTemplate | undefined>;
  /** @param compile Compiles the template with an environment's images. */
  reports(
    template: string,
    compile: (assets: AssetsConfig | undefined) => Promise<CompiledTemplate | undefined>,
  ): Promise<readonly RemoteReport[]>;
}

/** The history of the checked-out branch. */
export interface CommitsAccess {
  /** @param files Absolute paths of a template's files, the body first. Renames of the body are followed. */
  list(files: readonly string[]): Promise<TemplateCommits>;
  /**
   * Runs a function with the project as it was at a commit, with today's packages.
   *
   * @param hash Hexadecimal, possibly abbreviated.
   * @throws {LettershopError} The history has no such commit, or the commit has no such project. The message is shown
   * to the user.
   */
  withProject<Result>(hash: string, use: (project: CommittedProject) => Promise<Result>): Promise<Result>;
}

export interface CommittedProject extends Pick<OpenedProject, "project" | "context"> {
  /**
   * Where one of today's files was at the commit, following renames. It may not have existed. Both paths are absolute.
   */
  fileThen(file: string): Promise<string>;
}
