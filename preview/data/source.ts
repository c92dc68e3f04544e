import type {
  ClientViewAnswer,
  ClientViewRequest,
  CompiledBodies,
  DeployedTemplate,
  MailDetail,
  MailFolder,
  MailSummary,
  NewTemplateAnswer,
  NewTemplateRequest,
  OutboxMessageDetail,
  OutboxQuery,
  OutboxReport,
  PreviewEvent,
  ProjectState,
  RemoteReport,
  RenameAnswer,
  SaveFixtureAnswer,
  SaveFixtureRequest,
  SendAnswer,
  SendRequest,
  Starter,
  TemplateCommits,
  TemplateDetail,
  TemplateReport,
  UrlRequest,
  VariablesAnswer,
  VariablesRequest,
} from "../../src/preview/contract.js";

/**
 * Where the page reads from and writes to: the preview's server (`live.ts`), the files of a static copy (`copy.ts`), or
 * the local service, of which the page shows only the inbox (`local-service.ts`).
 */
export interface Source {
  readonly kind: "preview" | "copy" | "local-service";
  project(): Promise<ProjectState>;
  template(name: string): Promise<TemplateDetail>;
  report(name: string): Promise<TemplateReport>;
  /** Requests the URLs of its links and images. */
  requests(template: string): Promise<readonly UrlRequest[]>;
  /** Each template's filled text by template name, for searching. */
  contents(): Promise<Readonly<Record<string, string>>>;
  variables(template: string, request: VariablesRequest): Promise<VariablesAnswer>;
  clientView(request: ClientViewRequest): Promise<ClientViewAnswer>;
  saveFixture(template: string, fixture: string, request: SaveFixtureRequest): Promise<SaveFixtureAnswer>;
  starters(): Promise<readonly Starter[]>;
  createTemplate(request: NewTemplateRequest): Promise<NewTemplateAnswer>;
  renameTemplate(template: string, to: string): Promise<RenameAnswer>;
  send(request: SendRequest): Promise<SendAnswer>;
  remote(template: string): Promise<readonly RemoteReport[]>;
  deployed(template: string, environment: string): Promise<DeployedTemplate>;
  commits(template: string): Promise<TemplateCommits>;
  /** The template at one of these commits. */
  committed(template: string, hash: string): Promise<CompiledBodies>;
  /** A folder's newest emails, or those before one, by its `seq`; newest first. */
  mails(folder: MailFolder, before?: number): Promise<readonly MailSummary[]>;
  mail(id: string): Promise<MailDetail>;
  /** Number of all emails in a folder, including those that are not listed. */
  mailCount(folder: MailFolder): Promise<number>;
  deleteMail(id: string): Promise<void>;
  /** Deletes all emails in a folder, including those that are not listed. */
  deleteAllMails(folder: MailFolder): Promise<void>;
  outbox(query: OutboxQuery, signal: AbortSignal): Promise<OutboxReport>;
  outboxMessage(id: string, signal: AbortSignal): Promise<OutboxMessageDetail>;
  openEditor(place: { readonly file: string; readonly line?: number; readonly column?: number }): Promise<void>;
  setRemoteImages(shown: boolean): Promise<void>;
  /** Reports events until the returned function is called. A static copy reports none. */
  subscribe(listener: { event(event: PreviewEvent): void; connection(isUp: boolean): void }): () => void;
}

/** A source that refuses everything, for pages without the preview's server. */
export function sourceWithout(reason: string): Omit<Source, "kind" | "project"> {
  const refuse = async (): Promise<never> => {
    throw new Error(reason);
  };
  return {
    template: refuse,
    report: refuse,
    requests: refuse,
    contents: async () => ({}),
    variables: refuse,
    clientView: refuse,
    saveFixture: refuse,
    starters: async () => [],
    createTemplate: refuse,
    renameTemplate: refuse,
    send: refuse,
    remote: refuse,
    deployed: refuse,
    commits: refuse,
    committed: refuse,
    mails: async () => [],
    mail: refuse,
    mailCount: refuse,
    deleteMail: refuse,
    deleteAllMails: refuse,
    outbox: refuse,
    outboxMessage: refuse,
    openEditor: refuse,
    setRemoteImages: async () => {},
    subscribe: () => () => {},
  };
}

/** Why a request failed, for the user. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether the author wrote a schema, rather than it being inferred from tags and fixtures. */
export function hasSchema({ sources }: TemplateDetail): boolean {
  return sources.some(({ file }) => /(?:^|\/)variables\.ts$/.test(file));
}
