import type { SourcePosition } from "../../diagnostic.js";
import { positionAt } from "../../text/position.js";
import type { EmailElement } from "../document/nodes.js";
import type { Declaration } from "../document/stylesheet.js";
import { memoizeByObject } from "../../cache/memoize.js";
import type { CheckedTemplate, Finding, Rule } from "../rule.js";
import { textSources } from "../checked-template.js";
import { branchOf, TruthTable } from "../truth/truth-table.js";
import type { EmailDocument } from "../document/email-document.js";
import { entryOf } from "../../values.js";

/** What a URL is for: a link to open, an image, a background image, or another file to load. */
type AddressUse = "link" | "image" | "background" | "resource";

/** A URL of an email: of a link, an image or another file. */
export interface EmailUrl {
  readonly use: AddressUse;
  /** The element with the URL in an attribute or its style; for a style sheet, the `style` element. */
  readonly element: EmailElement;
  /** The attribute with the URL; absent if it is in a style. */
  readonly attribute?: string;
  /** Trimmed, with Mustache tags as written. */
  readonly written: string;
  /** Every URL that its sections can produce; tags that print stay in it. */
  readonly forms: readonly string[];
  readonly at: () => SourcePosition;
}

/** A URL in a hand-written text body. */
export type TextAddress = Pick<EmailUrl, "use" | "written" | "forms" | "at"> & { readonly element?: undefined };

const BY_ELEMENT: Readonly<Record<string, readonly (readonly [attribute: string, use: AddressUse])[]>> = {
  a: [["href", "link"]],
  area: [["href", "link"]],
  form: [["action", "link"]],
  img: [["src", "image"]],
  video: [
    ["src", "resource"],
    ["poster", "image"],
  ],
  audio: [["src", "resource"]],
  source: [["src", "resource"]],
  link: [["href", "resource"]],
  "v:roundrect": [["href", "link"]],
  "v:rect": [["href", "link"]],
  "v:fill": [["src", "background"]],
  "v:image": [["src", "image"]],
};

/** Every URL of the HTML: of links, images, backgrounds and style sheets. */
export const addressesIn = memoizeByObject((checked: CheckedTemplate): readonly EmailUrl[] => {
  const { elements, styleRules } = checked.document;
  const inSheets = styleRules.flatMap(({ element, declarations }) => backgroundsIn(declarations, element));
  return withForms([...elements.flatMap(addressesOf), ...inSheets], checked);
});

/** The URLs of the HTML, of a hand-written text body, and those that only Outlook sees. */
export const allAddresses = memoizeByObject((checked: CheckedTemplate): readonly (EmailUrl | TextAddress)[] => {
  const addresses = addressesIn(checked);
  const known = new Set(addresses.map(({ written }) => written));
  const onlyInOutlook = checked.document.outlookElements
    .flatMap(addressesOf)
    .filter(({ written }) => /^https?:/i.test(written) && !known.has(written));
  return [...addresses, ...addressesOfText(checked), ...withForms(onlyInOutlook, checked)];
});

/** Whether a URL is of an image, including background images. */
export function isImage({ use }: Pick<EmailUrl, "use">): boolean {
  return use === "image" || use === "background";
}

type WrittenAddress = Omit<EmailUrl, "forms">;

/** Adds the forms. An empty form counts only if the URL was written empty. */
function withForms(addresses: readonly WrittenAddress[], checked: CheckedTemplate): EmailUrl[] {
  return addresses.map((address) => {
    const { element, written } = address;
    const forms = TruthTable.of(checked)
      .texts({ text: written, around: branchOf(element) })
      .map((form) => form.trim())
      .filter((form) => form !== "" || written === "");
    return { ...address, forms };
  });
}

function addressesOf(element: EmailElement): WrittenAddress[] {
  const named = [...(entryOf(BY_ELEMENT, element.name) ?? []), ["background", "background"] as const].flatMap(
    ([attribute, use]): WrittenAddress[] => {
      const written = element.attribute(attribute)?.trim();
      return written === undefined ? [] : [{ use, element, attribute, written, at: () => element.at(attribute) }];
    },
  );
  // Few styles contain a URL, and parsing them all would be slow.
  const isInStyle = /url\(/i.test(element.attribute("style") ?? "");
  return isInStyle ? [...named, ...backgroundsIn(element.style, element)] : named;
}

function backgroundsIn(declarations: readonly Declaration[], element: EmailElement): WrittenAddress[] {
  return declarations.flatMap((declaration) =>
    Array.from(declaration.value.matchAll(/\burl\(\s*(["']?)(.*?)\1\s*\)/gi), ([, , written = ""]) => ({
      use: "background",
      element,
      written,
      at: () => declaration.at(),
    })),
  );
}

/** A URL, also one with a mistyped scheme, up to a section or a character that cannot be in a URL. */
const URL_IN_TEXT =
  /\b(?:https?|h?t{1,3}ps?|h{1,2}t{1,3}p{1,2}s{0,2}|hptts?|htps?):\/\/(?:\{\{(?!\s*[#^/!])[^{}]*\}\}\}?|[^\s<>"'`()[\]{}|])+/gi;

function addressesOfText(checked: CheckedTemplate): TextAddress[] {
  return textSources(checked).flatMap(({ file, text }) =>
    Array.from(text.matchAll(URL_IN_TEXT), ({ 0: url, index }): TextAddress => {
      const written = url.replace(/[.,;:!?*_…]+$/, "");
      return { use: "link", written, forms: [written], at: () => ({ file, ...positionAt(text, index) }) };
    }),
  );
}

/**
 * Checks each URL by itself, in each of its forms; also those of a hand-written text body.
 *
 * @example
 * checkTemplate: forEachAddress((form) => (form.startsWith("data:") ? { message: `${form} is a data URL.` } : undefined)),
 */
export function forEachAddress(
  check: (form: string, address: EmailUrl | TextAddress) => Omit<Finding, "at"> | undefined,
): NonNullable<Rule["checkTemplate"]> {
  return (checked) =>
    allAddresses(checked).flatMap((address) =>
      address.forms.flatMap((form) => {
        const finding = check(form, address);
        return finding ? [{ ...finding, at: positionOfUrl(address, checked.document) }] : [];
      }),
    );
}

/** Where a URL was written. One without a place of its own is searched for in the sources. */
export function positionOfUrl(address: EmailUrl | TextAddress, document: EmailDocument): SourcePosition {
  const place = address.at();
  if (!address.element) return place;
  const { use, element, attribute, written } = address;
  // Compilers add elements that load files, as for an mj-font: their place is not that of the URL.
  const isMoved = use === "resource" && element.place === undefined;
  const [body] = document.input.sources.keys();
  if (place.line !== undefined && !isMoved && place.file === body) return place;
  const quoted = document.positionOf(`"${written}"`);
  const inSources = quoted.line === undefined && written.length > 8 ? document.positionOf(written) : quoted;
  // The URL of a shared component is best reported where the template passes it.
  const isBetter = place.line === undefined || isMoved || inSources.file === body;
  if (inSources.line !== undefined && isBetter) return inSources;
  return isMoved || attribute === undefined ? place : element.atUse(attribute);
}

/** The URL, short enough for a message. */
export function shortUrl(address: string): string {
  return address.length > 80 ? `${address.slice(0, 77)}…` : address;
}
