import type { Severity } from "../diagnostic.js";
import type { Variables, VariablesContract } from "../mustache/variables.js";
import type { Engine } from "../template/template.js";

/**
 * What the preview's server and its page say to each other, as JSON. Paths of files are relative to the project's folder,
 * with `/`; lines and columns begin at 1.
 */

/** Where the page's data come from: a running server, or a copy that cannot be changed. */
export interface ProjectState {
  /** The name of the project's package, else of its folder. */
  readonly name: string;
  readonly version: string;
  /** By name. */
  readonly templates: readonly TemplateSummary[];
  /** What stands in the way of templates that could not even be loaded, and of the configuration. */
  readonly problems: readonly Problem[];
  /** Targets of sending and of `Remote`: `local` first. */
  readonly environments: readonly EnvironmentChoice[];
  /** The configuration's, for `derive`. */
  readonly locale: string;
  readonly timeZone: string;
  /** Whether images of other hosts are shown: remembered for the project. */
  readonly remoteImages: boolean;
  /**
   * What addresses of the project's own images begin with in compiled html, where they are absolute: the page has these
   * images at `assets/`. Without it they begin with that already.
   */
  readonly assetsBase?: string;
  /** The sender that the envelope shows where the template names none. */
  readonly from: string;
  /** What the page can do here. All false in a copy. */
  readonly can: {
    readonly save: boolean;
    readonly send: boolean;
    readonly openEditor: boolean;
    readonly seeInbox: boolean;
    readonly seeRemote: boolean;
    readonly seeCommits: boolean;
    readonly changeTemplates: boolean;
  };
}

export interface EnvironmentChoice {
  readonly name: string;
  readonly domain: string;
  /** Whether its key is there. Keys themselves never leave the server. */
  readonly hasKey: boolean;
  /** Whether it asks before something is sent or changed. */
  readonly isProtected: boolean;
}

/** A template as the list shows it. */
export interface TemplateSummary {
  readonly name: string;
  /** Absent where there is no body, or more than one. */
  readonly engine?: Engine;
  /** `pending`: it has not been built yet. `broken`: the last build failed. What compiled before is still shown. */
  readonly state: "pending" | "compiled" | "broken";
  /** Compiling the newest sources takes longer than a moment. */
  readonly isCompiling?: true;
  /** What that may be due to. */
  readonly largeFixture?: { readonly name: string; readonly megabytes: number };
  /** Why it never compiled, in one line. */
  readonly failure?: string;
  /** Filled with its first fixture, as are preheader and content. */
  readonly subject: string;
  readonly preheader: string;
  readonly fixtures: readonly string[];
  /** Those of them whose files cannot be read, or that the template cannot do without and nobody has written yet. */
  readonly brokenFixtures?: readonly string[];
  /** Absent until it was checked once. */
  readonly findings?: Readonly<Record<Severity, number>>;
  /** Becomes another one with every change that the page can show. */
  readonly revision: number;
}

/** All that the centre and the right show of a template. */
export interface TemplateDetail {
  readonly name: string;
  readonly engine?: Engine;
  readonly revision: number;
  /** The last build that succeeded; absent where there was none. */
  readonly compiled?: CompiledBodies;
  /** Why the newest sources did not compile. What is in `compiled` is older than them then. */
  readonly failure?: BuildFailure;
  readonly fixtures: readonly FixtureDetail[];
  /** Whether `variables.ts` computes what tags see, by `derive` or a transform: the page asks the server for the variables then. */
  readonly derives: boolean;
  /** Why its variables cannot be edited here, in a sentence: of a copy that cannot run its `variables.ts`. */
  readonly readOnly?: string;
  readonly locale?: string;
  readonly direction?: "ltr" | "rtl";
  /** Body first, then the text, the metadata, the schema, shared parts and components. */
  readonly sources: readonly SourceText[];
}

/** Still Mustache. */
export interface CompiledBodies {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly description: string;
  readonly contract: VariablesContract;
}

export interface FixtureDetail {
  readonly name: string;
  /** Absent for what is written elsewhere, as `PreviewProps` are: such a one cannot be saved over. */
  readonly file?: string;
  /** Why its file cannot be read: all else is as it was when it could be. */
  readonly problem?: string;
  /** Nobody has written one yet: its values are to be mended, and saved. */
  readonly isMadeUp?: true;
  /** As the application passes it. */
  readonly input: Variables;
  /** With what `derive` adds, conditions and explicit nulls, for the configuration's locale and time zone. */
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

/** A finding, with the lines around it. */
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
    /** It is a folder, or nothing is there: no editor opens it. */
    readonly isNoFile?: true;
  };
  readonly frame?: readonly FrameLine[];
  /** Index in `TemplateReport.places` of the element that it is about. */
  readonly place?: number;
  /** The rule's page, as a path below `docs/rules/`. */
  readonly page?: string;
  /** Of a project: it stands in the way of the configuration, or of a template that could not even be loaded. */
  readonly isBlocking?: true;
}

export interface FrameLine {
  readonly line: number;
  readonly text: string;
  readonly isAt: boolean;
}

/** What checking found, after a template is shown. */
export interface TemplateReport {
  readonly name: string;
  readonly revision: number;
  /** Whether checking is still under way; what is here is then of compiling alone. */
  readonly isPartial: boolean;
  /** Whether the newest sources do not compile; the problems are then what keeps them from it. */
  readonly isBroken: boolean;
  readonly problems: readonly Problem[];
  /** Elements of the compiled html, in order. */
  readonly places: readonly ElementPlace[];
  readonly links: readonly LinkReport[];
  readonly images: readonly ImageReport[];
  readonly clients: ClientSupport;
  readonly sizes: readonly SizeReport[];
  readonly variables: readonly VariableReport[];
}

/** Where an element of the compiled html was written. */
export interface ElementPlace {
  /** Where its start tag begins in `CompiledBodies.html`, in UTF-16 units. */
  readonly offset: number;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface LinkReport {
  /** As compiled: with its tags. */
  readonly href: string;
  /** What it shows. */
  readonly text: string;
  readonly place?: number;
  /** Findings about it. */
  readonly problems: readonly RowProblem[];
}

export type RowProblem = Pick<Problem, "severity" | "message">;

export interface ImageReport {
  readonly src: string;
  /** Absent where the element has none. */
  readonly alt?: string;
  readonly width?: string;
  readonly height?: string;
  readonly place?: number;
  readonly problems: readonly RowProblem[];
}

/** What became of requesting a URL of a template; `POST api/templates/NAME/requests` gives those of its links and images. */
export interface UrlRequest {
  /** As `LinkReport` and `ImageReport` have it. */
  readonly written: string;
  /** What was requested: without tags. */
  readonly url: string;
  readonly status?: number;
  /** Where redirects led to another site. */
  readonly movedTo?: string;
  /** Of an image. */
  readonly bytes?: number;
  /** Why there was no answer: `its host does not exist`. */
  readonly failure?: string;
}

/** What the configured clients make of the html. */
export interface ClientSupport {
  /** Of the data. */
  readonly date: string;
  readonly clients: readonly ClientRow[];
}

export interface ClientRow {
  /** Of the data: `outlook.windows`. */
  readonly id: string;
  /** For example "Outlook 2019 (Windows)". */
  readonly name: string;
  readonly features: readonly ClientFeature[];
}

/** A feature that the html uses and that this client does not support, or only in part. */
export interface ClientFeature {
  readonly name: string;
  readonly support: "none" | "partial" | "unknown";
  /** What is lost with it: content or layout, the look, or something that few will miss. */
  readonly loss: "content" | "style" | "extra";
  readonly note?: string;
  /** The address of the page that has the data. */
  readonly page: string;
  readonly place?: number;
  /** Where a person wrote it; absent of what a compiler adds. */
  readonly at?: { readonly file: string; readonly line: number; readonly column: number };
}

/** How near something is to a limit. */
export interface SizeReport {
  /** For example "HTML body", "Filled HTML, largest fixture". */
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly unit: "characters" | "bytes";
  /** What happens beyond it, in a sentence. */
  readonly consequence: string;
  /** The fixture that it was measured with. */
  readonly fixture?: string;
}

export interface VariableReport {
  /** Dotted; `[]` stands for each item of a list. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** Added by `derive`. */
  readonly isDerived: boolean;
  readonly uses: readonly VariableUse[];
}

export interface VariableUse {
  readonly part: "subject" | "html" | "text";
  /** The tag as compiled. */
  readonly tag: string;
  /** Printed raw, printed escaped, or asked by a section. */
  readonly kind: "escaped" | "raw" | "section";
  readonly place?: number;
  readonly at?: { readonly file: string; readonly line: number; readonly column: number };
}

/** Asks for html as a mail client takes it, by what the data say; `POST api/client-view`. */
export interface ClientViewRequest {
  /** The id of a `ClientRow`. */
  readonly client: string;
  readonly html: string;
}

/** Without what the client does not support. */
export interface ClientViewAnswer {
  readonly html: string;
}

/** Asks for variables as the tags need them; the answer to `POST api/templates/NAME/variables`. */
export interface VariablesRequest {
  readonly input: Variables;
  readonly locale?: string;
  readonly timeZone?: string;
}

export type VariablesAnswer =
  | { readonly variables: Variables; readonly problems: readonly [] }
  | { readonly problems: readonly VariableProblem[] };

export interface VariableProblem {
  /** Members and indexes, outermost first. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Asks to write a fixture; `PUT api/templates/NAME/fixtures/FIXTURE`. */
export interface SaveFixtureRequest {
  readonly input: Variables;
  /** Tell what would change, and write nothing. */
  readonly dryRun?: boolean;
  /** Whether one of that name may be there. */
  readonly overwrite: boolean;
}

export interface SaveFixtureAnswer {
  readonly file: string;
  /** How the variables' contract differs with it, each in a sentence; empty where it stays. */
  readonly contractChanges: readonly string[];
  readonly problems: readonly VariableProblem[];
  readonly isSaved: boolean;
}

/** A finished template that a new one can begin as; `GET api/starters`. */
export interface Starter {
  readonly name: string;
  readonly engine: Engine;
}

/** Asks for a new template; `POST api/templates`. */
export interface NewTemplateRequest {
  readonly name: string;
  readonly engine: Engine;
  /** Default: a plain first template. */
  readonly starter?: string | undefined;
}

export interface NewTemplateAnswer {
  /** What was written, the body first. */
  readonly files: readonly string[];
  /** Shared parts of the starter that the project had already, and that stay as they are. */
  readonly kept: readonly string[];
  /** The command that installs what it needs and the project lacks. */
  readonly install?: string;
}

/** The answer to `POST api/templates/NAME/rename`. */
export interface RenameAnswer {
  readonly body: string;
  /** How sync knows which name it had. */
  readonly formerName: {
    /** The template's `template.json`. */
    readonly file: string;
    /** Its member. */
    readonly line: string;
    /** Why it was not written, so that somebody has to decide. */
    readonly obstacle?: string;
  };
}

/** Sends one mail through the mailer; `POST api/send`. */
export interface SendRequest {
  readonly template: string;
  readonly input: Variables;
  readonly to: string;
  readonly environment: string;
  /** For an environment that asks first. */
  readonly isConfirmed?: boolean;
}

export type SendAnswer =
  | { readonly outcome: "accepted"; readonly id: string; readonly environment: string }
  | { readonly outcome: "rejected" | "unknown" | "refused"; readonly message: string; readonly hint?: string };

/** How a template stands in an environment; `GET api/remote/NAME`. */
export interface RemoteReport {
  readonly environment: string;
  /** A word of the plan: unchanged, to create, to update, drifted, conflict… */
  readonly state: string;
  readonly updatedAt?: string;
  readonly changes: readonly FieldChange[];
  /** Why it is not known. */
  readonly trouble?: { readonly message: string; readonly hint?: string };
}

/** A template as an environment has it; `GET api/remote/NAME/ENVIRONMENT`. Still Mustache. */
export interface DeployedTemplate extends Pick<CompiledBodies, "subject" | "html" | "text"> {
  readonly updatedAt: string;
}

/** The commits of a template; `GET api/commits/NAME`. `GET api/commits/NAME/HASH` gives its `CompiledBodies` of then. */
export interface TemplateCommits {
  /** What is checked out; absent where nothing was committed yet. */
  readonly last?: Commit;
  /** The latest that changed one of its files, newest first. */
  readonly ofTemplate: readonly Commit[];
}

export interface Commit {
  /** Abbreviated, in hex. */
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

/** A mail that the local service captured. */
export interface MailSummary {
  readonly id: string;
  readonly seq: number;
  /** ISO 8601. */
  readonly sentAt: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** The last thing that happened to the worst-off recipient. */
  readonly status: string;
  /** How many files it brings, without the images that its html shows. */
  readonly attachmentCount: number;
}

export interface MailDetail extends MailSummary {
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: readonly string[];
  readonly html?: string;
  readonly text?: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** As UTF-8 text, for reading. */
  readonly source: string;
  readonly attachments: readonly MailAttachment[];
  readonly recipients: readonly MailRecipient[];
  /** What it was made from, where that is known: variables as the service got them, or as they were put in here. */
  readonly template?: { readonly name: string; readonly variables: Variables };
  /** What addresses of the project's own images begin with in its html: the page has them at `assets/`. */
  readonly assetsBase?: string;
}

export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly contentId?: string;
  readonly bytes: number;
  /** Where its content is, below the page's address. */
  readonly url: string;
}

export interface MailRecipient {
  readonly email: string;
  readonly status: string;
  readonly events: readonly { readonly status: string; readonly at: string; readonly detail?: string }[];
}

/** What the server tells by itself, as server-sent events whose `data` is one of these. */
export type PreviewEvent =
  /** First, after every connection: what was shown before may be old. */
  | { readonly kind: "project"; readonly project: ProjectState }
  | { readonly kind: "templates"; readonly changed: readonly TemplateSummary[]; readonly removed: readonly string[] }
  /** A report is there, or is there whole. */
  | { readonly kind: "report"; readonly name: string; readonly revision: number }
  | { readonly kind: "mail"; readonly mail: MailSummary }
  /** Emails were deleted: the list is another one. */
  | { readonly kind: "deleted-mails" }
  | { readonly kind: "inbox"; readonly isReachable: boolean; readonly other?: OtherService };

/** A local service that runs where this project's would, for another project. */
export interface OtherService {
  readonly url: string;
  /** The other project's folder, absolute. */
  readonly project: string;
}

/** Every refusal of the server. */
export interface PreviewError {
  readonly error: { readonly message: string; readonly hint?: string };
}
