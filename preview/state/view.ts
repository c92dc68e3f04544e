/** What the page shows. All of it is in the URL, so that a link opens the same view. */
export interface View {
  readonly screen: "template" | "inbox";
  readonly template?: string;
  /** Id of the email that is open in the inbox. */
  readonly mail?: string;
  /** The part of the email that is shown. Undefined for the rendered email. */
  readonly mailPart?: MailPart;
  /** Undefined: depends on the window's width. */
  readonly isMailOnPhone?: boolean;
  readonly mailScheme?: Scheme;
  readonly fixture?: string;
  /** One to four, from left to right. */
  readonly panes: readonly Pane[];
  readonly mode: Mode;
  /** Zoom of the panes in per cent. Undefined: scaled to fit. */
  readonly zoom?: number;
  readonly scrollsApart?: boolean;
  readonly isInspecting?: boolean;
  /** In source mode: the file and the highlighted line. */
  readonly source?: { readonly file: string; readonly line?: number; readonly column?: number };
  readonly bottom?: BottomTab;
  readonly right?: "form" | "json";
  readonly isSidebarHidden?: boolean;
  readonly search?: string;
  /** The client whose inbox list the envelope imitates. */
  readonly client: EnvelopeClient;
  /** Index of the highlighted element in the report's places. */
  readonly place?: number;
  /** Unsaved edited variables as JSON. Undefined while the fixture is shown unchanged. */
  readonly edited?: string;
}

export type Mode = "rendered" | "html" | "mustache" | "text" | "source";
export type MailPart = "rendered" | "html" | "text" | "headers" | "attachments" | "source" | "delivery";
export type BottomTab = "problems" | "links" | "images" | "clients" | "size" | "variables" | "remote";
export type EnvelopeClient = "iphone" | "gmail-android" | "gmail-web" | "outlook";
export type Scheme = "light" | "dark" | "forced-dark";

/** How one pane shows the email. */
export interface Pane {
  /** Undefined: the view's fixture. */
  readonly fixture?: string;
  /** In CSS pixels. */
  readonly width: number;
  readonly scheme: Scheme;
  readonly areImagesBlocked: boolean;
  /** In per cent. */
  readonly textSize: number;
  /** Locale and time zone. Undefined: the project's. */
  readonly locale?: string;
  readonly timeZone?: string;
  readonly isRightToLeft: boolean;
  /** The environment whose version is shown. Undefined: the project's own version. */
  readonly deployedTo?: string;
  /** Hash of the commit whose version is shown, instead of an environment's. */
  readonly commit?: string;
  /** Id of an email client; HTML and CSS that it does not support is removed. Undefined: nothing is removed. */
  readonly client?: string;
}
