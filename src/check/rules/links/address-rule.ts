import type { SourcePosition } from "../../../diagnostic.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { Finding, Rule } from "../../rule.js";
import { type Address, allAddresses, type TextAddress } from "./addresses.js";

/**
 * Checks each URL by itself, in each of its forms; also those of a hand-written text body.
 *
 * @example
 * checkTemplate: forEachAddress((form) => (form.startsWith("data:") ? { message: `${form} is a data URL.` } : undefined)),
 */
export function forEachAddress(
  check: (form: string, address: Address | TextAddress) => Omit<Finding, "at"> | undefined,
): NonNullable<Rule["checkTemplate"]> {
  return (checked) =>
    allAddresses(checked).flatMap((address) =>
      address.forms.flatMap((form) => {
        const finding = check(form, address);
        return finding ? [{ ...finding, at: placeOf(address, checked.document) }] : [];
      }),
    );
}

/** Where a URL was written. One without a place of its own is searched for in the sources. */
export function placeOf(address: Address | TextAddress, document: EmailDocument): SourcePosition {
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
export function shown(address: string): string {
  return address.length > 80 ? `${address.slice(0, 77)}…` : address;
}
