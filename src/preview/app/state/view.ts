/** What the page shows: all of it is in the address, so that a link opens the same view. */
export interface View {
  readonly screen: "template" | "inbox";
  readonly template?: string;
  /** Of the inbox. */
  readonly mail?: string;
  /** What of the mail is shown, and how; absent where it is rendered as at the start. */
  readonly mailPart?: MailPart;
  /** Absent: as wide as suits the window. */
  readonly isMailOnPhone?: boolean;
  readonly mailScheme?: Scheme;
  readonly fixture?: string;
  /** One to four, left to right. */
  readonly panes: readonly Pane[];
  readonly mode: Mode;
  /** At which panes show the email, in percent. Absent: scaled to the room that there is. */
  readonly zoom?: number;
  readonly scrollsApart?: boolean;
  readonly isInspecting?: boolean;
  /** Of the source mode: the file, and the line that is pointed at. */
  readonly source?: { readonly file: string; readonly line?: number; readonly column?: number };
  readonly bottom?: BottomTab;
  readonly right?: "form" | "json";
  readonly isSidebarHidden?: boolean;
  readonly search?: string;
  /** Whose list the envelope imitates. */
  readonly client: EnvelopeClient;
  /** Index of the element that is pointed at, in the report's places. */
  readonly place?: number;
  /** Variables that were edited and not saved, as JSON; absent where the fixture is shown as it is. */
  readonly edited?: string;
}

export type Mode = "rendered" | "html" | "mustache" | "text" | "source";
export type MailPart = "rendered" | "html" | "text" | "headers" | "attachments" | "source" | "delivery";
export type BottomTab = "problems" | "links" | "images" | "clients" | "size" | "variables" | "remote";
export type EnvelopeClient = "iphone" | "gmail-android" | "gmail-web" | "outlook";
export type Scheme = "light" | "dark" | "forced-dark";

/** How one pane shows the email. */
export interface Pane {
  /** Absent: the view's. */
  readonly fixture?: string;
  /** CSS pixels. */
  readonly width: number;
  readonly scheme: Scheme;
  readonly areImagesBlocked: boolean;
  /** In percent. */
  readonly textSize: number;
  /** Absent: the project's, and so is the time zone. */
  readonly locale?: string;
  readonly timeZone?: string;
  readonly isRightToLeft: boolean;
  /** The environment whose version is shown. Absent: the project's own. */
  readonly deployedTo?: string;
  /** The hash of the commit whose version is shown, in place of an environment's. */
  readonly commit?: string;
  /** The id of the mail client that drops what it does not support. Absent: none does. */
  readonly client?: string;
}
