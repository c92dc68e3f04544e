import { memoizeByString } from "../../cache/memoize.js";
import { supportData, type Feature } from "./data.js";
import { isInline, wording, type Use } from "./uses.js";
import type { EmailElement } from "../document/nodes.js";

/** Which of the checked clients do not support something, or support it only in part. */
export interface Verdict {
  readonly unsupported: readonly string[];
  /** The clients that support the feature in general, but not this use of it. */
  readonly partial: readonly string[];
  /** caniemail's notes on the partial support, without duplicates. */
  readonly notes: readonly string[];
  /** The clients for which support is known. */
  readonly known: readonly string[];
}

/** What the clients support, shared by all documents. @param clients Ids, as `clientsOf` returns them. */
export function supportOf(clients: readonly string[]): Support {
  return supportOfList(clients.join());
}

const supportOfList = memoizeByString(10, (clients) => new Support(clients.split(",")));

export class Support {
  readonly #indexes: readonly (readonly [client: string, index: number])[];
  readonly #features = new Map<Feature, FeatureClients>();

  constructor(clients: readonly string[]) {
    const all = Object.keys(supportData().clients);
    this.#indexes = clients.map((client) => [client, all.indexOf(client)]);
  }

  /** Support for a feature if every note about it applies. */
  atWorst(feature: Feature): Verdict {
    return this.#clientsOf(feature).worst;
  }

  /** Support for one use of a feature. */
  of(use: Use): Verdict {
    const { certain, conditional } = this.#clientsOf(use.feature);
    const applying = conditional.filter(({ note }) => noteApplies(note, use));
    const verdict = applying.length === 0 ? certain : withNotes(certain, applying);
    return this.#withoutUnreached(verdict, use.requires ?? []);
  }

  /** caniemail's notes on one client's support for a use of a feature. */
  notesOn(use: Use, client: string): string[] {
    return this.#clientsOf(use.feature).conditional.flatMap(({ note, clients }) =>
      clients.includes(client) && noteApplies(note, use) ? [note] : [],
    );
  }

  /** Removes clients that never reach the use because they ignore the rule around it. */
  #withoutUnreached(verdict: Verdict, requires: readonly Feature[]): Verdict {
    if (requires.length === 0) return verdict;
    const unreached = new Set(requires.flatMap((feature) => this.#clientsOf(feature).certain.unsupported));
    if (unreached.size === 0) return verdict;
    const isReached = (client: string): boolean => !unreached.has(client);
    return {
      ...verdict,
      unsupported: verdict.unsupported.filter(isReached),
      partial: verdict.partial.filter(isReached),
    };
  }

  #clientsOf(feature: Feature): FeatureClients {
    const clients = this.#features.get(feature) ?? this.#read(feature);
    this.#features.set(feature, clients);
    return clients;
  }

  #read(feature: Feature): FeatureClients {
    const { support, notes = {} } = supportData().features[feature];
    const words = support.split(" ");
    const certain = { known: [] as string[], unsupported: [] as string[], partial: [] as string[], notes: [] };
    const byNote = new Map<string, string[]>();
    for (const [client, index] of this.#indexes) {
      const word = words[index] ?? "u";
      if (word.startsWith("u")) continue;
      certain.known.push(client);
      if (word.startsWith("n")) certain.unsupported.push(client);
      if (!word.startsWith("a")) continue;
      const texts = (word.match(/\d+/g) ?? []).flatMap((number) => notes[number] ?? []);
      if (texts.length === 0) certain.partial.push(client);
      for (const note of texts) if (!isAboutAccounts(note)) byNote.set(note, [...(byNote.get(note) ?? []), client]);
    }
    const conditional = Array.from(byNote, ([note, clients]) => ({ note, clients }));
    return { certain, conditional, worst: withNotes(certain, conditional) };
  }
}

interface FeatureClients {
  /** Support that does not depend on the use. */
  readonly certain: Verdict;
  /** Clients with partial support that depends on the use. */
  readonly conditional: readonly { readonly note: string; readonly clients: readonly string[] }[];
  /** Support if every note applies. */
  readonly worst: Verdict;
}

function withNotes(certain: Verdict, applying: FeatureClients["conditional"]): Verdict {
  const partial = new Set([...certain.partial, ...applying.flatMap(({ clients }) => clients)]);
  return {
    ...certain,
    partial: certain.known.filter((client) => partial.has(client)),
    notes: applying.map(({ note }) => note),
  };
}

/**
 * Whether a restriction in a caniemail note affects a use. Most notes only restrict certain values, elements or syntax of a
 * feature; all other notes apply to every use.
 */
function noteApplies(note: string, use: Use): boolean {
  return !isZero(use) && predicateOf(note)(use);
}

const predicateOf = memoizeByString(1000, (note): ((use: Use) => boolean) => {
  for (const [pattern, applies] of NOTES) {
    const match = pattern.exec(note);
    if (match) return (use) => applies(use, match);
  }
  return () => true;
});

/** Whether a note only affects accounts of other providers in a client's app, as for half of all features. */
function isAboutAccounts(note: string): boolean {
  return /\b(?:non[- ](?:Google|Gmail|Outlook)|Hotmail\/Outlook|with Outlook|Microsoft (?:email|accounts?))\b/i.test(
    note,
  );
}

/** The text of a note without its Markdown links, and without the "Partial." at its start. */
export function plainNote(note: string): string {
  const text = note
    .replace(/^Partial(?:ly| support| supported)?[.:]\s*/, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return text.endsWith(".") ? text : `${text}.`;
}

/** `margin: 0` needs no support. */
function isZero({ by }: Use): boolean {
  return by.kind === "declaration" && /^(?:0(?:px)?\s*)+$/.test(by.value);
}

type Applies = (use: Use, match: RegExpExecArray) => boolean;

const never: Applies = () => false;

function value({ by }: Use): string {
  if (by.kind === "declaration" || by.kind === "attribute") return by.value.toLowerCase();
  return by.kind === "at-rule" ? by.prelude.toLowerCase() : "";
}

/** The names in backticks. */
const quoted = memoizeByString(1000, (text): readonly string[] =>
  Array.from(text.matchAll(/`([^`]+)`/g), ([, name = ""]) => name.toLowerCase()),
);

/** Whether a use contains one of the names as a whole word; of `visibility:collapse`, only the value counts. */
function hasOne(use: Use, names: readonly string[]): boolean {
  const text = `${wording(use).toLowerCase()} ${[...use.element.attributes.keys()].join(" ")}`;
  return names.some((name) => wholeWord(name).test(text));
}

const wholeWord = memoizeByString(1000, (name): RegExp => {
  const word = (name.split(":").at(-1) ?? name).replace(/\(\)$/, "(");
  return new RegExp(`(?<![\\w-])${word.replaceAll(/[^\w-]/g, "\\$&")}(?![\\w-])`);
});

function isOn(use: Use, names: readonly string[]): boolean {
  return names.includes(`<${use.element.name}>`);
}

/** Whether the element that a use affects is known. */
function isAboutElement(use: Use): boolean {
  return use.by.kind === "attribute" || use.by.kind === "element" || isInline(use);
}

/** Whether a note applies, by its wording: the first match counts, and `match[1]` is what it restricts. */
const NOTES: readonly (readonly [RegExp, Applies])[] = [
  // Without consequences, or not detectable in the HTML.
  [
    /depends? on (?:the |your )?(?:browser|version|operating)|\bOS\b|work in IE|Internet Explorer|120 dpi|\banimat(?:ed|ion)\b|Converts (?:file|still)/i,
    never,
  ],
  [
    /first `?<head>|double `<head>`|declared before their rules|Requires at least one|Requires `word-break|Requires a background|always open in a new|URL in a new|is stripped in some cases|links with `href`|computed based on|Replaced by a `<div>`/,
    never,
  ],
  [/in lowercase|space before|^Supported\b|vendor prefixed|same for all cells|Level 1|on `picture`/i, never],
  [/`<img>` elements are wrapped|`value` attribute to an `<li>`/, never],
  // Reported as separate features, or by other rules.
  [/`rem` values|limited to 16 KB|nested media queries/i, never],

  // Selectors.
  [/on type selectors/, ({ by }) => by.kind === "selector" && /[.#][\w-]+::?[\w-]/.test(by.selector)],
  [/as class or ID/, ({ by }) => by.kind === "selector" && !/[.#]/.test(by.selector)],
  [/`E \{ F \{\}\}`/, ({ by }) => by.kind === "nesting" && !by.selector.includes("&")],
  [/`\[attr\]`, `\[attr=value\]`/, ({ by }) => by.kind === "selector" && /\[[^\]]*[\^$*]=/.test(by.selector)],
  [/Only supports `\[attr=value\]`/, ({ by }) => by.kind === "selector" && !/\[[\w-]+=/.test(by.selector)],
  [/Only supports `\[attr~=value\]`/, ({ by }) => by.kind === "selector" && !/\[class~=/.test(by.selector)],
  [/with a class selector/, ({ by }) => by.kind === "selector" && /\.[\w-]+\[/.test(by.selector)],
  [/`class="test"`/, ({ by }) => by.kind === "selector" && /\[class/.test(by.selector)],

  // Elements.
  [
    /does not inherit (?:onto|to)/i,
    (use) => isInline(use) && use.element.descendants.some(({ name }) => name === "table"),
  ],
  [/applied directly to an `<img>`/, (use) => isInline(use) && use.element.name === "img"],
  [/Not supported inside the `<body>`/, ({ element }) => element.ancestors.some(({ name }) => name === "body")],
  [/only (?:supported|works) on table cells/i, (use) => isInline(use) && !/^(?:td|th)$/.test(use.element.name)],
  [/Percentage width on/, (use) => use.element.name === "img" && value(use).includes("%")],
  [
    /only (?:supported|works) on (?:the )?(`<.*>`)/i,
    (use, [, names = ""]) => isAboutElement(use) && !isOn(use, quoted(names)),
  ],
  [
    /(?:not supported|doesn't work|unreliable if used|do not work|buggy|removed).*? (?:on|from) (.*`<\w+>`)/i,
    (use, [, names = ""]) => isAboutElement(use) && isOn(use, quoted(names)) && isHorizontal(use),
  ],
  [/`reversed`/, ({ element }) => element.attributes.has("reversed")],
  [/empty anchor with/, () => true],
  [/`controls` attribute to play/, ({ element }) => !element.attributes.has("controls")],

  // Comments.
  [/attribute strips the whole attribute/, ({ by }) => by.kind === "attribute"],
  [/Comment inside `style` attribute works/, ({ by }) => by.kind !== "attribute"],

  // Conditions of `@media`.
  [/height based media queries/, (use) => /\bheight\b/.test(value(use))],
  [/landscape media query/, (use) => value(use).includes("landscape")],
  [
    /Only supports `screen`, `min-width`/,
    (use) =>
      Array.from(value(use).matchAll(/\(\s*([a-z-]+)/g)).some(
        ([, name = ""]) => !/^m(?:in|ax)-(?:width|height)$/.test(name),
      ),
  ],

  // Values.
  [/`<number>` values between 0 and 599/, (use) => /^\d+$/.test(value(use)) && !/^[47]00$/.test(value(use))],
  [/^Partial support\. `<number>` values/, (use) => /^\d+$/.test(value(use)) && !/^[1-9]00$/.test(value(use))],
  [/^Partial\. Supports column-gap for flexbox/, ({ by }) => by.kind === "declaration" && by.property !== "column-gap"],
  [/^Partial\. Not supported inline/, isInline],
  [/Only supported inline/, (use) => !isInline(use)],
  [/`background-color` is included inside the `margin`/, (use) => isInline(use) && hasBackground(use.element)],
  [/`fixed` is replaced/, (use) => value(use) === "fixed"],
  [/URL (?:buggy|is not)|`url\(\)` is transformed|`list-style-image` values/, (use) => value(use).includes("url(")],
  [/long hand selectors|only (?:supports )?the line property/i, (use) => /\s/.test(value(use))],
  [/negative values?/i, (use) => /(?:^|[\s,(])-\.?\d/.test(value(use))],
  [/Only `list-style-type` values/, (use) => /url\(|inside|outside/.test(value(use))],
  [/Only `background-color` values/, (use) => /url\(|gradient\(/.test(value(use))],
  [/multiple values?/i, (use) => (use.feature === "css-text-decoration" ? LINES : LISTS).test(value(use))],
  [/`\/ value` shorthand|with the slash `\/`/, (use) => /^(?:[^/(]|\([^)]*\))*\//.test(value(use))],
  [
    /bigger than (\d+)px/,
    (use, [, most]) => [...value(use).matchAll(/([\d.]+)px/g)].some(([, px]) => Number(px) > Number(most)),
  ],
  [/percentage/i, (use) => /%|smaller|larger/.test(value(use))],
  [/Alpha value/, (use) => /rgb\([^)]*(?:\/|,[^)]*,[^)]*,)/.test(value(use))],
  [/whitespace syntax/i, (use) => /rgba?\(\s*[\d.%]+\s+[\d.%]/.test(value(use))],
  [/Cannot scroll/, (use) => /auto|scroll/.test(value(use))],
  [/^Buggy\. (?:Values set in )?`em`/, (use) => /\dem\b/.test(value(use))],
  [/(?:two|2)-value (?:font-metric )?syntax/i, (use) => /^\S+\s+\S/.test(value(use))],
  [/Only supports `display:none`/, (use) => value(use) !== "none"],
  [
    /Does not work inline/,
    (use) => isInline(use) && use.by.kind === "declaration" && use.by.property === "background-image",
  ],
  [/`(min-content)` and `(fit-content)` only/i, (use) => value(use).includes("max-content")],
  [/`system-ui` only/, (use) => value(use).includes("ui-")],
  [/\bbut not\b(.*)$/, (use, [, names = ""]) => hasOne(use, quoted(names))],
  [/Longhand properties/, (use) => wording(use).startsWith("transition-")],
  [
    /^(.*?`.*`.*?)(?:(?:is|are|does|do) not|not) (?:supported|work)/,
    (use, [, names = ""]) => hasOne(use, quoted(names)),
  ],
  [/does(?: not|n't) support (?:the )?(.*`.*`)/i, (use, [, names = ""]) => hasOne(use, quoted(names))],
  [/Only supports: (.*)/, (use, [, names = ""]) => !names.includes(value(use))],
];

/** A list of several images, ignoring the commas inside `rgb(…)` and gradients. */
const LISTS = /^(?:[^(),]|\((?:[^()]|\([^()]*\))*\))*,/;
const LINES = /(?:underline|overline|line-through).*(?:underline|overline|line-through)/;

function hasBackground({ attributes, style }: EmailElement): boolean {
  return attributes.has("bgcolor") || style.some(({ property }) => /^background(?:-color)?$/.test(property));
}

/** Notes on `align` only affect `left` and `right`. */
function isHorizontal({ by }: Use): boolean {
  return by.kind !== "attribute" || by.name !== "align" || /^(?:left|right)$/i.test(by.value);
}
