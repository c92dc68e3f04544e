import type { SourcePosition } from "../../../diagnostic.js";
import { positionAt } from "../../../position.js";
import type { EmailElement } from "../../document/nodes.js";
import type { Declaration } from "../../document/stylesheet.js";
import { memoized } from "../../memoized.js";
import type { CheckedTemplate } from "../../rule.js";
import { textSources } from "../../text-sources.js";
import { branches } from "../../truth/branches.js";
import { TruthTable } from "../../truth/truth-table.js";

/** What an address is for: something to open, an image to show, an image behind something, a file to load. */
export type AddressUse = "link" | "image" | "background" | "resource";

/** An address that a message leads to or loads from. */
export interface Address {
  readonly use: AddressUse;
  /** The element that has it, also where the address is in a style. */
  readonly element: EmailElement;
  /** Absent where the address is in a style. */
  readonly attribute?: string;
  /** Without the white space around it, Mustache tags as written. */
  readonly written: string;
  /** What it can come to once its sections are decided; the variables' tags are still in it. */
  readonly forms: readonly string[];
  readonly at: () => SourcePosition;
}

/** An address that a hand-written text body spells out. */
export type TextAddress = Pick<Address, "use" | "written" | "forms" | "at"> & { readonly element?: undefined };

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

/**
 * Every address of a document: of links, images, backgrounds and style sheets.
 *
 * @example
 * addressesIn(checked).filter(({ use }) => use === "link").map(({ written }) => written); // ["https://a.example/{{id}}"]
 */
export const addressesIn = memoized((checked: CheckedTemplate): readonly Address[] => {
  const { elements, styleRules } = checked.document;
  const inSheets = styleRules.flatMap(({ element, declarations }) => backgroundsIn(declarations, element));
  return withForms([...elements.flatMap(addressesOf), ...inSheets], checked);
});

/** Also those that a hand-written text body spells out, and those that only Outlook sees. */
export const allAddresses = memoized((checked: CheckedTemplate): readonly (Address | TextAddress)[] => {
  const addresses = addressesIn(checked);
  const known = new Set(addresses.map(({ written }) => written));
  const ofOutlook = checked.document.outlookElements
    .flatMap(addressesOf)
    .filter(({ written }) => /^https?:/i.test(written) && !known.has(written));
  return [...addresses, ...addressesOfText(checked), ...withForms(ofOutlook, checked)];
});

/** The images that mails show, behind something or not. */
export function isImage({ use }: Pick<Address, "use">): boolean {
  return use === "image" || use === "background";
}

type WrittenAddress = Omit<Address, "forms">;

/** What addresses come to; not counted where that is nothing. */
function withForms(addresses: readonly WrittenAddress[], checked: CheckedTemplate): Address[] {
  return addresses.map((address) => {
    const { element, written } = address;
    const forms = TruthTable.of(checked)
      .texts({ text: written, around: branches(checked.document).get(element) ?? [] })
      .map((form) => form.trim())
      .filter((form) => form !== "" || written === "");
    return { ...address, forms };
  });
}

function addressesOf(element: EmailElement): WrittenAddress[] {
  const named = [...(BY_ELEMENT[element.name] ?? []), ["background", "background"] as const].flatMap(
    ([attribute, use]): WrittenAddress[] => {
      const written = element.attribute(attribute)?.trim();
      return written === undefined ? [] : [{ use, element, attribute, written, at: () => element.at(attribute) }];
    },
  );
  // Few styles have an address, and reading them all takes its time.
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

/** Up to what cannot be in an address, or a section. */
const SPELT =
  /\b(?:https?|h?t{1,3}ps?|h{1,2}t{1,3}p{1,2}s{0,2}|hptts?|htps?):\/\/(?:\{\{(?!\s*[#^/!])[^{}]*\}\}\}?|[^\s<>"'`()[\]{}|])+/gi;

function addressesOfText(checked: CheckedTemplate): TextAddress[] {
  return textSources(checked).flatMap(({ file, text }) =>
    Array.from(text.matchAll(SPELT), ({ 0: found, index }): TextAddress => {
      const written = found.replace(/[.,;:!?*_…]+$/, "");
      return { use: "link", written, forms: [written], at: () => ({ file, ...positionAt(text, index) }) };
    }),
  );
}
