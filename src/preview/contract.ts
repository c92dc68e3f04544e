import type { Severity } from "../diagnostic.js";
import type { Variables, VariablesContract } from "../mustache/variables.js";
import type { Engine } from "../project/template.js";
import type { Requests } from "./requests.js";

// The messages between the preview's server and its page, as JSON. File paths are relative to the project's folder,
// with `/`. Lines and columns start at 1.

/** The project as a whole, from a running server or from a static copy. */
export interface ProjectState {
  /** The name of the project's package, otherwise of its folder. */
  readonly name: string;
  /** Sorted by name. */
  readonly templates: readonly TemplateSummary[];
  /** Problems of the configuration, and of templates that could not even be loaded. */
  readonly problems: readonly Problem[];
  /** Targets for sending and for the Remote tab; `local` is first. */
  readonly environments: readonly EnvironmentChoice[];
  /** The configuration's locale, for `derive`. */
  readonly locale: string;
  readonly timeZone: string;
  /** Whether images of other hosts are shown. This is stored for the project. */
  readonly remoteImages: boolean;
  /**
   * The base URL of the project's own images in compiled HTML, if their URLs are absolute. The page serves these images
   * at `assets/`. If undefined, their URLs already start with `assets/`.
   */
  readonly assetsBase?: string;
  /** The sender that the envelope shows. */
  readonly from: string;
  /** What the page can do. Everything is false in a static copy. */
  readonly can: {
    readonly save: boolean;
    readonly send: boolean;
    readonly openEditor: boolean;
    readonly seeInbox: boolean;
    readonly seeOutbox: boolean;
    readonly seeRemote: boolean;
    readonly seeCommits: boolean;
    readonly changeTemplates: boolean;
  };
}

export interface EnvironmentChoice {
  readonly name: string;
  readonly domain: string;
  /** Whether its API key is set. Keys themselves never leave the server. */
  readonly hasKey: boolean;
  /** Whether messages can be sent to it: with its key, or by SMTP. */
  readonly canSend: boolean;
  /** Whether it asks for confirmation before something is sent or changed. */
  readonly isProtected: boolean;
}

/** A template as the list shows it. */
export interface TemplateSummary {
  readonly name: string;
  /** Undefined if there is no body, or more than one. */
  readonly engine?: Engine;
  /** `pending`: not built yet. `broken`: the last build failed; the last version that compiled is still shown. */
  readonly state: "pending" | "compiled" | "broken";
  /** Set while compiling the newest sources takes longer than a moment. */
  readonly isCompiling?: true;
  /** A large fixture that may be the reason. */
  readonly largeFixture?: { readonly name: string; readonly megabytes: number };
  /** Why it never compiled, in one line. */
  readonly failure?: string;
  /** Subject, preheader and content are filled with the first fixture. */
  readonly subject: string;
  readonly preheader: string;
  readonly fixtures: readonly string[];
  /** Fixtures that cannot be read, and a fixture that the template needs but nobody has written yet. */
  readonly brokenFixtures?: readonly string[];
  /** Undefined until the template was checked. */
  readonly findings?: Readonly<Record<Severity, number>>;
  /** Changes whenever something that the page shows changes. */
  readonly revision: number;
}

/** Everything the page shows about a template, apart from its report. */
export interface TemplateDetail {
  readonly name: string;
  readonly revision: number;
  /** The last build that succeeded. Undefined if none did. */
  readonly compiled?: CompiledBodies;
  /** Why the newest sources did not compile. In that case `compiled` is older than they are. */
  readonly failure?: BuildFailure;
  readonly fixtures: readonly FixtureDetail[];
  /**
   * Whether `variables.ts` computes variables, by `derive` or a transform. The page then asks the server to complete
   * them.
   */
  readonly derives: boolean;
  /** A sentence about why its variables cannot be edited: a static copy may be unable to run its `variables.ts`. */
  readonly readOnly?: string;
  /** The body first, then text, metadata, schema, shared parts and components. */
  readonly sources: readonly SourceText[];
}

/** Still with Mustache tags. */
export interface CompiledBodies {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly contract: VariablesContract;
}

export interface FixtureDetail {
  readonly name: string;
  /** Undefined for examples without a fixture file, such as `PreviewProps`: they cannot be overwritten. */
  readonly file?: string;
  /** Why the file cannot be read. The other members then have the last values that could be read. */
  readonly problem?: string;
  /** Set if nobody has written the fixture yet: the values are meant to be edited and saved. */
  readonly isMadeUp?: true;
  /** The variables as the application passes them. */
  readonly input: Variables;
  /** With derived variables, conditions and explicit nulls, for the configuration's locale and time zone. */
  readonly variables: Variables;
}

export interface SourceText {
  readonly file: string;
  readonly language: "html" | "mjml" | "tsx" | "ts" | "json" | "css" | "text";
  readonly text: string;
}

export interface BuildFailure {
  readonly problems: readonly Problem[];
}

/** A finding with the lines around it. */
export interface Problem {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  readonly template?: string;
  readonly at?: {
    readonly file: string;
    readonly line?: number;
    readonly column?: number;
    /** Set if it is a folder or does not exist, so that no editor can open it. */
    readonly isNoFile?: true;
  };
  readonly frame?: readonly FrameLine[];
  /** Index in `TemplateReport.places` of the element that it is about. */
  readonly place?: number;
  /** The rule's page, as a path below `docs/rules/`. */
  readonly page?: string;
  /** Set for a problem of the configuration, or of a template that could not even be loaded. */
  readonly isBlocking?: true;
}

export interface FrameLine {
  readonly line: number;
  readonly text: string;
  readonly isAt: boolean;
}

/** The results of checking a template. */
export interface TemplateReport {
  readonly name: string;
  readonly revision: number;
  /** Whether checking is still under way. The report then only has the problems found by compiling. */
  readonly isPartial: boolean;
  /** Whether the newest sources do not compile. `problems` then has the reasons. */
  readonly isBroken: boolean;
  readonly problems: readonly Problem[];
  /** Elements of the compiled HTML, in document order. */
  readonly places: readonly ElementPlace[];
  readonly links: readonly LinkReport[];
  readonly images: readonly ImageReport[];
  readonly clients: ClientSupport;
  readonly sizes: readonly SizeReport[];
  readonly variables: readonly VariableReport[];
  readonly computed: readonly ComputedReport[];
}

/** Where an element of the compiled HTML was written. */
export interface ElementPlace {
  /** Where its start tag begins in `CompiledBodies.html`, in UTF-16 units. */
  readonly offset: number;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface LinkReport {
  /** As compiled, with its tags. */
  readonly href: string;
  /** The link's text. */
  readonly text: string;
  readonly place?: number;
  /** Problems with this link. */
  readonly problems: readonly RowProblem[];
}

export type RowProblem = Pick<Problem, "severity" | "message">;

export interface ImageReport {
  readonly src: string;
  /** Undefined if the element has no `alt` attribute. */
  readonly alt?: string;
  readonly width?: string;
  readonly height?: string;
  readonly place?: number;
  readonly problems: readonly RowProblem[];
}

/**
 * The result of requesting a URL. `POST api/templates/NAME/requests` returns those of a template's links and images.
 */
export interface UrlRequest {
  /** As in `LinkReport` and `ImageReport`. */
  readonly written: string;
  /** The URL that was requested, without tags. */
  readonly url: string;
  readonly status?: number;
  /** Set if a redirect led to another site. */
  readonly movedTo?: string;
  /** Size of an image. */
  readonly bytes?: number;
  /** Why there was no response: `its host does not exist`. */
  readonly failure?: string;
}

/** How the configured clients support the HTML. */
export interface ClientSupport {
  /** Date of the data. */
  readonly date: string;
  readonly clients: readonly ClientRow[];
}

export interface ClientRow {
  /** Its id in the data: `outlook.windows`. */
  readonly id: string;
  /** For example "Outlook 2019 (Windows)". */
  readonly name: string;
  readonly features: readonly ClientFeature[];
}

/** A feature that the HTML uses and that this client supports only in part or not at all. */
export interface ClientFeature {
  readonly name: string;
  readonly support: "none" | "partial" | "unknown";
  /** What is lost without it: content or layout, the look, or something that few will notice. */
  readonly loss: "content" | "style" | "extra";
  readonly note?: string;
  /** URL of the page with the data. */
  readonly page: string;
  readonly place?: number;
  /** Where it was written. Undefined if the compiler added it. */
  readonly at?: { readonly file: string; readonly line: number; readonly column: number };
}

/** A size and its limit. */
export interface SizeReport {
  /** For example "HTML body", "Filled HTML, largest fixture". */
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly unit: "characters" | "bytes";
  /** What happens above the limit, in a sentence. */
  readonly consequence: string;
  /** The fixture with which it was measured. */
  readonly fixture?: string;
}

export interface VariableReport {
  /** Dotted; `[]` stands for each item of a list. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** Whether `derive` adds it. */
  readonly isDerived: boolean;
  readonly uses: readonly VariableUse[];
}

/** A value that the compiler computes because Mustache can't. */
export interface ComputedReport {
  /** The reserved variable's name. */
  readonly name: string;
  /** The sections around it, outermost first. */
  readonly within: readonly string[];
  /** The expression in the source code, on one line. */
  readonly source: string;
  readonly at: { readonly file: string; readonly line?: number; readonly column?: number };
  readonly uses: readonly VariableUse[];
}

export interface VariableUse {
  readonly part: "subject" | "html" | "text" | "computed";
  /** The tag as compiled; for a computed value, its source code. */
  readonly tag: string;
  /** Whether the tag prints the value escaped, prints it raw, or is a section; or whether a value is computed with it. */
  readonly kind: "escaped" | "raw" | "section" | "computed";
  readonly place?: number;
  readonly at?: { readonly file: string; readonly line: number; readonly column: number };
}

/** Request for HTML as an email client renders it, according to the client support data: `POST api/client-view`. */
export type ClientViewRequest = Requests["clientView"];

/** The HTML without what the client does not support. */
export interface ClientViewAnswer {
  readonly html: string;
}

/** Request for variables as the tags need them: `POST api/templates/NAME/variables`. */
export type VariablesRequest = Requests["variables"];

export type VariablesAnswer =
  | { readonly variables: Variables; readonly problems: readonly [] }
  | { readonly problems: readonly VariableProblem[] };

export interface VariableProblem {
  /** Members and indexes, outermost first. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Request to write a fixture: `PUT api/templates/NAME/fixtures/FIXTURE`. */
export type SaveFixtureRequest = Requests["fixture"];

export interface SaveFixtureAnswer {
  readonly file: string;
  /** How saving changes the variables' contract, one sentence each. Empty if it does not. */
  readonly contractChanges: readonly string[];
  readonly problems: readonly VariableProblem[];
  readonly isSaved: boolean;
}

/** A starter template that a new template can be created from: `GET api/starters`. */
export interface Starter {
  readonly name: string;
  readonly engine: Engine;
}

/** Request for a new template: `POST api/templates`. */
export type NewTemplateRequest = Requests["newTemplate"];

export interface NewTemplateAnswer {
  /** New files, the body first. */
  readonly files: readonly string[];
  /** Shared parts of the starter that already existed and are unchanged. */
  readonly kept: readonly string[];
  /** The command that installs packages the template needs, if any are missing. */
  readonly install?: string;
}

/** Response to `POST api/templates/NAME/rename`. */
export interface RenameAnswer {
  readonly body: string;
  /** How sync learns the template's former name. */
  readonly formerName: {
    /** The template's `template.json`. */
    readonly file: string;
    /** The line that records it. */
    readonly line: string;
    /** Why the line was not added, so that the user has to decide. */
    readonly obstacle?: string;
  };
}

/** Sends one email through the mailer: `POST api/send`. */
export type SendRequest = Requests["send"];

export type SendAnswer =
  | { readonly outcome: "accepted"; readonly id: string; readonly environment: string }
  | { readonly outcome: "rejected" | "unknown" | "refused"; readonly message: string; readonly hint?: string };

/** A template's state in an environment: `GET api/remote/NAME`. */
export interface RemoteReport {
  readonly environment: string;
  /** As in sync's plan: unchanged, to create, to update, drifted, conflict… */
  readonly state: string;
  readonly updatedAt?: string;
  readonly changes: readonly FieldChange[];
  /** Why the state is unknown. */
  readonly trouble?: { readonly message: string; readonly hint?: string };
}

/** A deployed template: `GET api/remote/NAME/ENVIRONMENT`. Still with Mustache tags. */
export interface DeployedTemplate extends Pick<CompiledBodies, "subject" | "html" | "text"> {
  readonly updatedAt: string;
}

/**
 * The commits of a template: `GET api/commits/NAME`. `GET api/commits/NAME/HASH` returns its `CompiledBodies` at that
 * commit.
 */
export interface TemplateCommits {
  /** The commit that is checked out. Undefined if there is none yet. */
  readonly last?: Commit;
  /** The latest commits that changed one of the template's files, newest first. */
  readonly ofTemplate: readonly Commit[];
}

export interface Commit {
  /** Abbreviated, in hexadecimal. */
  readonly hash: string;
  /** ISO 8601. */
  readonly committedAt: string;
  readonly subject: string;
}

export interface FieldChange {
  readonly field: string;
  readonly lines: readonly DiffLine[];
}

export interface DiffLine {
  readonly kind: "same" | "removed" | "added" | "skipped";
  readonly text: string;
}

/** Maximum number of emails in a list. A shorter list has no older ones. */
export const LISTED_MAILS = 200;

export const MAIL_FOLDERS = ["sent", "forwarded"] as const;

/** What applications sent, or what the local service received for its domains and forwarded. */
export type MailFolder = (typeof MAIL_FOLDERS)[number];

/** An email captured by the local service. */
export interface MailSummary {
  readonly id: string;
  readonly folder: MailFolder;
  readonly seq: number;
  /** ISO 8601. */
  readonly sentAt: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** The latest status of the recipient with the worst one. */
  readonly status: string;
  /** Number of attachments, without images embedded in the HTML. */
  readonly attachmentCount: number;
  /** Of a forwarded email: the address at the domain that received it. */
  readonly receivedBy?: string;
}

export interface MailDetail extends MailSummary {
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: readonly string[];
  readonly html?: string;
  readonly text?: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** Decoded as UTF-8, for reading; without the end of a long one. */
  readonly source: string;
  /** URL of the whole source as a file, relative to the page. */
  readonly sourceUrl: string;
  readonly attachments: readonly MailAttachment[];
  readonly recipients: readonly MailRecipient[];
  /**
   * The template it was made from, if known, with the variables as the service received them or as entered in the
   * preview.
   */
  readonly template?: { readonly name: string; readonly variables: Variables };
  /** The base URL of the project's own images in its HTML. The page serves them at `assets/`. */
  readonly assetsBase?: string;
}

export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly contentId?: string;
  readonly bytes: number;
  /** URL of its content, relative to the page. */
  readonly url: string;
}

export interface MailRecipient {
  readonly email: string;
  /** Id of its entry in the log. */
  readonly logId: string;
  readonly status: string;
  readonly events: readonly { readonly status: string; readonly at: string; readonly detail?: string }[];
}

/** Messages in a list of the outbox, and how many more each "Show more" adds. */
export const LISTED_MESSAGES = 100;

/** Maximum number of messages in a list of the outbox. */
export const LISTED_MESSAGES_MAX = 1000;

/** Which messages of the outbox to list: `GET api/outbox`. */
export interface OutboxQuery {
  readonly state?: string | undefined;
  readonly template?: string | undefined;
  /** Only messages for this service and domain, which the counts are then about, too. */
  readonly target?: string | undefined;
  readonly limit: number;
}

/** What is in the mailer's store. Both members are undefined if no store is named. */
export interface OutboxReport {
  /** Why the store can't be read. */
  readonly trouble?: { readonly message: string; readonly hint?: string | undefined };
  readonly outbox?: OutboxOverview;
}

export interface OutboxOverview {
  /** The file, or the address of the database without user and password. */
  readonly store: string;
  /** Services and domains that it has messages for: `https://api.example.com example.com`. */
  readonly targets: readonly string[];
  /** Number of messages by state. */
  readonly counts: Readonly<Record<string, number>>;
  /** Queued messages that only wait for their turn. */
  readonly due: number;
  /** How long the oldest message, queued or sending, has been due, in ms. */
  readonly oldestDueMs?: number | undefined;
  /** Why messages are queued again, parked or rejected: most frequent first. */
  readonly problems: readonly OutboxProblem[];
  /** Newest first. */
  readonly messages: readonly DescribedMessage[];
  /** Whether the store has more messages that match. */
  readonly hasMore: boolean;
}

export interface OutboxProblem {
  readonly state: string;
  readonly reason: string;
  readonly messages: number;
  /** ISO 8601. */
  readonly lastAt: string;
}

/** A message of the outbox without its contents. Addresses may be masked. Times are ISO 8601. */
export interface DescribedMessage {
  readonly id: string;
  readonly state: string;
  readonly template?: string;
  readonly priority: string;
  readonly onUnknown: string;
  /** How often a process took it. */
  readonly attempts: number;
  readonly sent?: { readonly outcome: string; readonly id: string; readonly messageId: string };
  /** Set while `sending` by a call of `send`, not by a worker. */
  readonly direct?: true;
  /** Whether its contents are still stored. The members from `from` on are known only then. */
  readonly hasContents: boolean;
  /** The service and the domain. */
  readonly for: string;
  /** Known while the contents are kept. */
  readonly key?: string;
  readonly reason?: string;
  readonly queuedAt: string;
  readonly sendAt: string;
  readonly expiresAt?: string;
  /** When it entered its state. */
  readonly changedAt: string;
  readonly from?: string;
  readonly recipients?: readonly string[];
  /** Their names. */
  readonly variables?: readonly string[];
  /** Their number. */
  readonly attachments?: number;
}

/** A message of the outbox: `GET api/outbox/ID`. */
export interface OutboxMessageDetail extends DescribedMessage {
  /** Id of the email in the inbox, if the local service has it. */
  readonly mail?: string;
}

/** Events that the server sends, as the `data` of server-sent events. */
export type PreviewEvent =
  /** Sent first after each connection, because earlier state may be out of date. */
  | { readonly kind: "project"; readonly project: ProjectState }
  | { readonly kind: "templates"; readonly changed: readonly TemplateSummary[]; readonly removed: readonly string[] }
  /** A report is available, or is now complete. */
  | { readonly kind: "report"; readonly name: string; readonly revision: number }
  | { readonly kind: "mail"; readonly mail: MailSummary }
  /** Emails were deleted, so the list has changed. */
  | { readonly kind: "deleted-mails" }
  /** Which local service responds. */
  | { readonly kind: "inbox"; readonly service?: OwnService | undefined; readonly other?: OtherService | undefined };

/** The project's local service, while it runs. */
export interface OwnService {
  readonly url: string;
  /** Undefined if it does not listen for SMTP. */
  readonly smtpPort?: number;
}

/** Another project's local service that runs in place of this project's. */
export interface OtherService {
  readonly url: string;
  /** The other project's folder, absolute. */
  readonly project: string;
}

/** The body of every error response. */
export interface PreviewError {
  readonly error: { readonly message: string; readonly hint?: string };
}
