import type { EmailElement } from "../document/nodes.js";
import { isInline, type Use, wording } from "./use.js";

/**
 * Whether what a note of caniemail restricts is what the template uses. Most notes are about values, elements or
 * syntax of a feature that a template may do without; a note that says nothing of the kind is about all uses.
 *
 * @example
 * noteApplies("Partial. Negative values are not supported.", marginOf("0 auto")); // false
 */
export function noteApplies(note: string, use: Use): boolean {
  const applies = understood.get(note) ?? understand(note);
  understood.set(note, applies);
  return applies(use);
}

const understood = new Map<string, (use: Use) => boolean>();

function understand(note: string): (use: Use) => boolean {
  for (const [pattern, applies] of NOTES) {
    const match = pattern.exec(note);
    if (match) return (use) => !isNothing(use) && applies(use, match);
  }
  return (use) => !isNothing(use);
}

/** Some readers have added a mailbox of another provider to the client's app; that is said of half of all features. */
export function isAboutAccounts(note: string): boolean {
  return /\b(?:non[- ](?:Google|Gmail|Outlook)|Hotmail\/Outlook|with Outlook|Microsoft (?:email|accounts?))\b/i.test(
    note,
  );
}

/** caniemail's notes are Markdown, and begin with what is said already. */
export function plainNote(note: string): string {
  const text = note
    .replace(/^Partial(?:ly| support| supported)?[.:]\s*/, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return text.endsWith(".") ? text : `${text}.`;
}

/** `margin: 0` asks for nothing. */
function isNothing({ by }: Use): boolean {
  return by.kind === "declaration" && /^(?:0(?:px)?\s*)+$/.test(by.value);
}

type Applies = (use: Use, match: RegExpExecArray) => boolean;

const never: Applies = () => false;

/** The text that a use is written with, in lower case. */
function written(use: Use): string {
  return wording(use).toLowerCase();
}

function value({ by }: Use): string {
  if (by.kind === "declaration" || by.kind === "attribute") return by.value.toLowerCase();
  return by.kind === "at-rule" ? by.prelude.toLowerCase() : "";
}

/** The names between backticks. */
function quoted(text: string): readonly string[] {
  const names = quotations.get(text) ?? Array.from(text.matchAll(/`([^`]+)`/g), ([, name = ""]) => name.toLowerCase());
  quotations.set(text, names);
  return names;
}

const quotations = new Map<string, readonly string[]>();

/** Whether a use is written with one of these as whole words; `visibility:collapse` means the value alone. */
function hasOne(use: Use, names: readonly string[]): boolean {
  const text = `${written(use)} ${[...use.element.attributes.keys()].join(" ")}`;
  return names.some((name) => wholeWord(name).test(text));
}

function wholeWord(name: string): RegExp {
  const known = wholeWords.get(name);
  if (known) return known;
  const word = (name.split(":").at(-1) ?? name).replace(/\(\)$/, "(");
  const pattern = new RegExp(`(?<![\\w-])${word.replaceAll(/[^\w-]/g, "\\$&")}(?![\\w-])`);
  wholeWords.set(name, pattern);
  return pattern;
}

const wholeWords = new Map<string, RegExp>();

function isOn(use: Use, names: readonly string[]): boolean {
  return names.includes(`<${use.element.name}>`);
}

/** Whether it is known which element it is about. */
function isAboutElement(use: Use): boolean {
  return use.by.kind === "attribute" || use.by.kind === "element" || isInline(use);
}

function imgWithPercent(use: Use): boolean {
  return use.element.name === "img" && value(use).includes("%");
}

/** By what a note says, the first that matches; `match[1]` is what it says it of. */
const NOTES: readonly (readonly [RegExp, Applies])[] = [
  // What is no loss, or can't be known from the html.
  [
    /depends? on (?:the |your )?(?:browser|version|operating)|\bOS\b|work in IE|Internet Explorer|120 dpi|\banimat(?:ed|ion)\b|Converts (?:file|still)/i,
    never,
  ],
  [
    /first `?<head>|double `<head>`|declared before their rules|Requires at least one|Requires `word-break|Requires a background|always open in a new|URL in a new|is stripped in some cases|links with `href`|computed based on|Replaced by a `<div>`/,
    never,
  ],
  [/in lowercase|space before|CSS comment|^Supported\b|^Works only the html|vendor prefixed/i, never],
  // Rules of their own tell these.
  [/limited to 16 KB|nested media queries/i, never],

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
  [/same for all cells/, never],
  [
    /only (?:supported|works) on (?:the )?(`<.*>`)/i,
    (use, [, names = ""]) => isAboutElement(use) && !isOn(use, quoted(names)),
  ],
  [
    /(?:not supported|doesn't work|unreliable if used|do not work|buggy|removed).*? (?:on|from) (.*`<\w+>`)/i,
    (use, [, names = ""]) => isAboutElement(use) && isOn(use, quoted(names)) && sideways(use),
  ],
  [/`<img>` elements are wrapped/, ({ element }) => element.name === "img"],
  [/Percentage width on/, imgWithPercent],
  [/`reversed`/, ({ element }) => element.attributes.has("reversed")],
  [
    /`value` attribute to an `<li>`/,
    ({ element }) => element.elements.some(({ attributes }) => attributes.has("value")),
  ],
  [/Only `<(\w+)>` is supported/, ({ element }, [, name]) => element.name !== name],
  [/empty anchor with/, () => true],
  [/`controls` attribute to play/, ({ element }) => !element.attributes.has("controls")],

  [/`title` attribute/, ({ element }) => element.attributes.has("title")],
  [/Not supported on `picture`/, ({ element }) => element.name === "picture" || element.name === "source"],

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
  [/^Partial support\. `<number>` values are not/, (use) => /^\d+$/.test(value(use)) && !/^[1-9]00$/.test(value(use))],
  [/`<number>` values between 0 and 599/, (use) => /^\d+$/.test(value(use)) && !/^[47]00$/.test(value(use))],
  [/color keywords from CSS Level 1/, (use) => /^[a-z]+$/.test(value(use)) && !LEVEL_1_COLOURS.has(value(use))],
  [/^Partial\. Supports column-gap for flexbox/, ({ by }) => by.kind === "declaration" && by.property !== "column-gap"],
  [/^Partial\. Not supported inline/, isInline],
  [/Only supported inline/, (use) => !isInline(use)],
  [/`background-color` is included inside the `margin`/, (use) => isInline(use) && hasBackground(use.element)],
  [/`fixed` is replaced/, (use) => value(use) === "fixed"],
  [/URL buggy/, (use) => !isInline(use) || value(use).includes("url(")],
  [/`url\(\)` is transformed/, (use) => value(use).includes("url(")],
  [/is stripped except when the value is (.*)/, (use, [, names = ""]) => !quoted(names).includes(value(use))],
  [/encoded character values/, (use) => value(use).includes("\\")],
  [/written with long hand selectors/, (use) => /\s/.test(value(use))],
  [/negative values?/i, (use) => /(?:^|[\s,(])-\.?\d/.test(value(use))],
  [/`list-style-image` values/, (use) => value(use).includes("url(")],
  [/Only `list-style-type` values/, (use) => /url\(|inside|outside/.test(value(use))],
  [/Only `background-color` values/, (use) => /url\(|gradient\(/.test(value(use))],
  [/multiple values?/i, (use) => (use.feature === "css-text-decoration" ? LINES : LISTS).test(value(use))],
  [
    /`\/ value` shorthand|with the slash `\/`/,
    (use) =>
      value(use)
        .replaceAll(/url\([^)]*\)/g, "")
        .includes("/"),
  ],
  [/between quotes/, (use) => /url\(\s*[^"'\s]/.test(value(use))],
  [
    /bigger than (\d+)px/,
    (use, [, most]) => [...value(use).matchAll(/([\d.]+)px/g)].some(([, px]) => Number(px) > Number(most)),
  ],
  // The unit is a feature of its own.
  [/`rem` values/, never],
  [/percentage/i, (use) => /%|smaller|larger/.test(value(use))],
  [/Alpha value/, (use) => /rgb\([^)]*(?:\/|,[^)]*,[^)]*,)/.test(value(use))],
  [/whitespace syntax/i, (use) => /rgba?\(\s*[\d.%]+\s+[\d.%]/.test(value(use))],
  [/Cannot scroll/, (use) => /auto|scroll/.test(value(use))],
  [/^Buggy\. (?:Values set in )?`em`/, (use) => /\dem\b/.test(value(use))],
  [/URL is not supported/, (use) => value(use).includes("url(")],
  [/(?:two|2)-value (?:font-metric )?syntax/i, (use) => /^\S+\s+\S/.test(value(use))],
  [/Only supports `display:none`/, (use) => value(use) !== "none"],
  [/Only `word-break:break-all`/, (use) => value(use) !== "break-all"],
  [/Base 64 gif/, (use) => /data:image\/gif/.test(value(use))],
  [/Base 64 png/, (use) => !/data:image\/png/.test(value(use))],
  [
    /Does not work inline/,
    (use) => isInline(use) && use.by.kind === "declaration" && use.by.property === "background-image",
  ],
  [/only (?:supports )?the line property/i, (use) => /\s/.test(value(use))],
  [/`(min-content)` and `(fit-content)` only/i, (use) => value(use).includes("max-content")],
  [/`system-ui` only/, (use) => value(use).includes("ui-")],
  [/\bbut not\b(.*)$/, (use, [, names = ""]) => hasOne(use, quoted(names))],
  [/Longhand properties/, (use) => written(use).startsWith("transition-")],
  [/`all` keyword|`all` value/, (use) => hasOne(use, ["all"])],
  [
    /^(.*?`.*`.*?)(?:(?:is|are|does|do) not|not) (?:supported|work)/,
    (use, [, names = ""]) => hasOne(use, quoted(names)),
  ],
  [/does(?: not|n't) support (?:the )?(.*`.*`)/i, (use, [, names = ""]) => hasOne(use, quoted(names))],
  [/Only supports: (.*)/, (use, [, names = ""]) => !names.includes(value(use))],
];

/** Several pictures in a list; commas in `rgb(…)` and in gradients separate nothing. */
const LISTS = /^(?:[^(),]|\((?:[^()]|\([^()]*\))*\))*,/;
const LINES = /(?:underline|overline|line-through).*(?:underline|overline|line-through)/;

/** `orange` came later. */
const LEVEL_1_COLOURS: ReadonlySet<string> = new Set(
  "aqua black blue fuchsia gray green lime maroon navy olive purple red silver teal white yellow transparent".split(
    " ",
  ),
);

function hasBackground({ attributes, style }: EmailElement): boolean {
  return attributes.has("bgcolor") || style.some(({ property }) => /^background(?:-color)?$/.test(property));
}

/** A note on `align` is about `left` and `right` alone. */
function sideways({ by }: Use): boolean {
  return by.kind !== "attribute" || by.name !== "align" || /^(?:left|right)$/i.test(by.value);
}
