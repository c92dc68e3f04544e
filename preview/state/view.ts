import type { MailFolder } from "../../src/preview/contract.js";

/** What the page shows. All of it is in the URL, so that a link opens the same view. */
export interface View {
  readonly screen: "template" | "inbox";
  readonly template?: string;
  /** The folder of the inbox. Undefined for sent emails. */
  readonly folder?: (typeof furtherFolders)[number];
  /** Id of the email that is open in the inbox, or of the message that is open in the outbox. */
  readonly mail?: string;
  /** The outbox lists only messages in this state, of this template, or for this service and domain. */
  readonly messageState?: string;
  readonly messageTemplate?: string;
  readonly messageTarget?: string;
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

/** The folders of the inbox besides that of sent emails. */
export const furtherFolders = ["forwarded", "outbox"] as const;
export const modes = ["rendered", "html", "mustache", "text", "source"] as const;
export const mailParts = ["rendered", "html", "text", "headers", "attachments", "source", "delivery"] as const;
export const bottomTabs = ["problems", "links", "images", "clients", "size", "variables", "remote"] as const;
export const envelopeClients = ["iphone", "gmail-android", "gmail-web", "outlook"] as const;
export const schemes = ["light", "dark", "forced-dark"] as const;

export type InboxFolder = MailFolder | (typeof furtherFolders)[number];
export type Mode = (typeof modes)[number];
export type MailPart = (typeof mailParts)[number];
export type BottomTab = (typeof bottomTabs)[number];
export type EnvelopeClient = (typeof envelopeClients)[number];
export type Scheme = (typeof schemes)[number];

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

export const desktop: Pane = {
  width: 800,
  scheme: "light",
  areImagesBlocked: false,
  textSize: 100,
  isRightToLeft: false,
};

export const paneWidth = { least: 240, most: 2000 };
export const paneTextSize = { least: 50, most: 300 };
/** For all panes, in per cent. */
export const paneZoom = { least: 25, most: 400 };

const isScheme = (word: string): word is Scheme => schemes.some((scheme) => scheme === word);

export const clamp = (value: number, { least, most }: { least: number; most: number }) =>
  Math.min(most, Math.max(least, Math.round(value)));

/** The words of settings that have a value, such as `locale:de-CH`. */
const settings = [
  ["fixture", "fixture"],
  ["locale", "locale"],
  ["zone", "timeZone"],
  ["deployed", "deployedTo"],
  ["commit", "commit"],
  ["client", "client"],
] as const;

/** A pane as words of a URL, without defaults: `375`, `dark`, `blocked`, `text:125`, `locale:de-CH`. */
export const paneToWords = (pane: Pane): readonly string[] => [
  String(pane.width),
  ...(pane.scheme === desktop.scheme ? [] : [pane.scheme]),
  ...(pane.areImagesBlocked ? ["blocked"] : []),
  ...(pane.isRightToLeft ? ["rtl"] : []),
  ...(pane.textSize === desktop.textSize ? [] : [`text:${pane.textSize}`]),
  ...settings.flatMap(([name, setting]) => (pane[setting] ? [`${name}:${pane[setting]}`] : [])),
];

/** The pane's version as a word of the URL. Empty for the project's own. */
export const versionWord = ({ deployedTo, commit }: Pane): string => {
  if (deployedTo) return `deployed:${deployedTo}`;
  return commit ? `commit:${commit}` : OWN_VERSION;
};

export const OWN_VERSION = "";

/** The settings of a pane that shows the version of this word. */
export const versionOf = (word: string): Pick<Pane, "deployedTo" | "commit"> => {
  const { deployedTo, commit } = paneFromWords([word]);
  return { deployedTo, commit };
};

/** Unknown words are ignored. */
export const paneFromWords = (words: readonly string[]): Pane => words.reduce(withWord, desktop);

const withWord = (pane: Pane, word: string): Pane => {
  if (/^\d+$/.test(word)) return { ...pane, width: clamp(Number(word), paneWidth) };
  if (isScheme(word)) return { ...pane, scheme: word };
  if (word === "blocked") return { ...pane, areImagesBlocked: true };
  if (word === "rtl") return { ...pane, isRightToLeft: true };
  const colon = word.indexOf(":");
  const name = word.slice(0, Math.max(0, colon));
  const value = word.slice(colon + 1);
  if (name === "text" && /^\d+$/.test(value)) return { ...pane, textSize: clamp(Number(value), paneTextSize) };
  const [, setting] = settings.find(([each]) => each === name) ?? [];
  if (setting === undefined || value === "") return pane;
  const isVersion = setting === "deployedTo" || setting === "commit";
  return { ...pane, ...(isVersion && { deployedTo: undefined, commit: undefined }), [setting]: value };
};
