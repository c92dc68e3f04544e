import type { FilledMessage } from "../../preview/server/preview-access.js";
import type {
  DeployedTemplate,
  EnvironmentChoice,
  NewTemplateAnswer,
  NewTemplateRequest,
  RemoteReport,
  RenameAnswer,
  SendAnswer,
  Starter,
} from "../../preview/contract.js";
import type { AssetsConfig } from "../../project/config.js";
import type { ProjectFlags } from "../project.js";

/*
 * The protocol between a command and its preview process. The command holds the keys; project code runs in the preview
 * process, so nothing that it sends can be trusted.
 */

/** Messages from the command. */
export type Order =
  /** Sent first, and once. */
  | ({ readonly kind: "serve" } & ServeOrder)
  | ({ readonly kind: "answer"; readonly id: number } & CallResult)
  | { readonly kind: "end" };

export interface ServeOrder {
  readonly flags: ProjectFlags;
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly port?: number | undefined;
  /** Required to open the page if other machines can reach it. */
  readonly token?: string | undefined;
  /** Sync saved changes to the local service. */
  readonly isSynced: boolean;
}

/** Messages from the preview process. */
export type Report =
  /** Sent first, before any project code runs: can the process write only to its own folders? */
  | { readonly kind: "started"; readonly isReadOnly: boolean }
  /** The configuration was read. */
  | { readonly kind: "project"; readonly project: unknown }
  | { readonly kind: "listening"; readonly port: number }
  | ({ readonly kind: "call"; readonly id: number } & AnyCall)
  | { readonly kind: "failed"; readonly code: string; readonly message: string; readonly hint?: string | undefined }
  /** A bug in lettershop. */
  | { readonly kind: "defect"; readonly trace: string };

/** Functions that only the command can carry out. */
export interface Calls {
  environments(input: undefined): readonly EnvironmentChoice[];
  /** The local service's URL. Starts the service if it is not running. */
  local(input: undefined): string;
  /** Where an environment's images are hosted. `isNeeded`: start the local service if it is not running. */
  assets(input: { readonly environment: string; readonly isNeeded: boolean }): AssetsConfig | undefined;
  send(input: Omit<FilledMessage, "input">): SendAnswer;
  /** `compiled` is absent if the template does not compile. */
  remote(input: { readonly environment: string; readonly template: string; readonly compiled?: unknown }): RemoteReport;
  deployed(input: { readonly environment: string; readonly template: string }): DeployedTemplate | undefined;
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

export type CallName = keyof Calls;
export type CallInput<Name extends CallName> = Parameters<Calls[Name]>[0];
export type CallOutput<Name extends CallName> = ReturnType<Calls[Name]>;

/** An unvalidated call. */
export interface AnyCall {
  readonly name: string;
  readonly input?: unknown;
}

export type CallResult =
  | { readonly value?: unknown }
  | { readonly error: { readonly message: string; readonly hint?: string | undefined } };
