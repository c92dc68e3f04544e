import type { FilledMessage } from "../../preview/server/preview-access.js";
import type {
  DeployedTemplate,
  DescribedMessage,
  EnvironmentChoice,
  NewTemplateAnswer,
  NewTemplateRequest,
  OutboxQuery,
  OutboxReport,
  RemoteReport,
  RenameAnswer,
  SendAnswer,
  Starter,
} from "../../preview/contract.js";
import type { AssetsConfig } from "../../project/config.js";
import type { ProjectFlags } from "../project.js";

/*
 * What a command and its preview process call of each other. The command holds the keys; project code runs in the preview
 * process, so nothing that it sends can be trusted.
 */

export interface PreviewFunctions {
  /** Asked before any project code runs: can the process write only to its own folders? */
  isReadOnly(input: undefined): unknown;
  /** Serves the preview until the command ends. Called once. */
  serve(options: ServeRequest): unknown;
}

export interface ServeRequest {
  readonly flags: ProjectFlags;
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly port?: number | undefined;
  /** Required to open the page if other machines can reach it. */
  readonly token?: string | undefined;
  /** Sync saved changes to the local service. */
  readonly isSynced: boolean;
}

export interface CommandFunctions extends KeeperFunctions {
  /** The configuration was read. */
  project(project: unknown): void;
  listening(port: number): void;
}

/** Functions that need a key, or the user's machine. */
export interface KeeperFunctions {
  environments(input: undefined): readonly EnvironmentChoice[];
  /** The local service's URL. Starts the service if it is not running. */
  local(input: undefined): string;
  /** Where an environment's images are hosted. `isNeeded`: start the local service if it is not running. */
  assets(input: { readonly environment: string; readonly isNeeded: boolean }): AssetsConfig | undefined;
  send(input: Omit<FilledMessage, "input">): SendAnswer;
  /** `compiled` is absent if the template does not compile. */
  remote(input: { readonly environment: string; readonly template: string; readonly compiled?: unknown }): RemoteReport;
  deployed(input: { readonly environment: string; readonly template: string }): DeployedTemplate | undefined;
  /** The messages in the mailer's store. Addresses are masked. */
  outbox(input: OutboxQuery): OutboxReport;
  /** A message, by its ID. */
  outboxMessage(input: string): DescribedMessage;
  starters(input: undefined): readonly Starter[];
  create(input: NewTemplateRequest): NewTemplateAnswer;
  rename(input: { readonly from: string; readonly to: string }): RenameAnswer;
  /** Writes a fixture or the preview's preferences. `overwrite`: replace an existing file. */
  write(input: { readonly file: string; readonly text: string; readonly overwrite: boolean }): void;
  edit(input: {
    readonly file: string;
    readonly line?: number | undefined;
    readonly column?: number | undefined;
  }): void;
}
