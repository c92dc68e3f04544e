import type { FilledMessage } from "../../preview/server/access.js";
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
import type { AssetsConfig } from "../../config/define.js";
import type { ProjectFlags } from "../project.js";

/*
 * What a command and the process that serves its preview say to each other. The command holds the keys; the project's own
 * code runs in the other process, so that nothing which comes from there is to be trusted.
 */

/** What the command says. */
export type Order =
  /** First, and once. */
  | ({ readonly kind: "serve" } & ServeOrder)
  | ({ readonly kind: "answer"; readonly id: number } & CallResult)
  | { readonly kind: "end" };

export interface ServeOrder {
  readonly flags: ProjectFlags;
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly port?: number | undefined;
  /** Opens the page where others than this machine can reach it. */
  readonly token?: string | undefined;
  /** Bring what is saved to the local service. */
  readonly isSynced: boolean;
}

/** What the other process says. */
export type Report =
  /** First: whether the process can write only to its own folders. None of the project's code has run yet. */
  | { readonly kind: "started"; readonly isReadOnly: boolean }
  /** The configuration was read. */
  | { readonly kind: "project"; readonly project: unknown }
  | { readonly kind: "listening"; readonly port: number }
  | ({ readonly kind: "call"; readonly id: number } & AnyCall)
  | { readonly kind: "failed"; readonly code: string; readonly message: string; readonly hint?: string | undefined }
  /** A mistake of ours. */
  | { readonly kind: "defect"; readonly trace: string };

/** What only the command can do, by name: what it takes and gives. */
export interface Calls {
  environments(input: undefined): readonly EnvironmentChoice[];
  /** The address of the local service, which is started where it does not run. */
  local(input: undefined): string;
  /** Where an environment's images are. `isNeeded`: the local service is started where it does not run. */
  assets(input: { readonly environment: string; readonly isNeeded: boolean }): AssetsConfig | undefined;
  send(input: Omit<FilledMessage, "input">): SendAnswer;
  /** `compiled` is absent where the template does not compile. */
  remote(input: { readonly environment: string; readonly template: string; readonly compiled?: unknown }): RemoteReport;
  deployed(input: { readonly environment: string; readonly template: string }): DeployedTemplate | undefined;
  starters(input: undefined): readonly Starter[];
  create(input: NewTemplateRequest): NewTemplateAnswer;
  rename(input: { readonly from: string; readonly to: string }): RenameAnswer;
  /** Writes a fixture, or the preview's preferences. `overwrite`: a file that is there is replaced. */
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

/** Not to be trusted. */
export interface AnyCall {
  readonly name: string;
  readonly input?: unknown;
}

export type CallResult =
  | { readonly value?: unknown }
  | { readonly error: { readonly message: string; readonly hint?: string | undefined } };
