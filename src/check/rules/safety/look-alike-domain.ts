import { domainToUnicode } from "node:url";
import type { Rule } from "../../rule.js";
import { lookAlikes } from "../language/mixed-scripts.js";
import { hostOf } from "../links/address-parts.js";
import { placeOf } from "../links/address-rule.js";
import { addressesIn } from "../links/addresses.js";
import { addressesBeside } from "../links/addresses-beside.js";
import { onceEach } from "../../once-each.js";
import { borrowedBrand, imitatedBrand, isDisguise, isSlip } from "./known-brands.js";

export const lookAlikeDomain: Rule = {
  id: "look-alike-domain",
  summary: "A link's domain looks like another, well-known one, or like the project's own.",
  severity: "warning",
  checkTemplate(checked) {
    const { document } = checked;
    const inHtml = addressesIn(document).flatMap((address) =>
      address.forms.flatMap((form) => {
        const host = hostOf(form);
        return host === undefined || address.use === "resource"
          ? []
          : [{ at: () => placeOf(address, document), host: domainToUnicode(host) || host }];
      }),
    );
    const beside = addressesBeside(checked).flatMap(({ form, at }) => {
      const host = hostOf(form);
      return host === undefined ? [] : [{ at, host: domainToUnicode(host) || host }];
    });
    const links = [...inHtml, ...beside];
    const own = mostUsed(links.map(({ host }) => siteOf(host)));
    return onceEach(
      links.flatMap(({ at, host }) => {
        const reason = whyDeceiving(host, own);
        if (reason === undefined) return [];
        return [
          {
            message: `${host} ${reason}: filters and readers take that for phishing.`,
            at: at(),
            hint: "Link to the domain that is meant.",
          },
        ];
      }),
    );
  },
};

function whyDeceiving(host: string, own: string | undefined): string | undefined {
  const foreign = host
    .split(".")
    .map(lookAlikes)
    .find((found) => found !== undefined);
  if (foreign) return `has "${foreign.join("")}" of another alphabet among Latin letters`;
  const borrowed = borrowedBrand(host);
  if (borrowed !== undefined) return `begins like ${borrowed}.com and belongs to somebody else`;
  const site = siteOf(host);
  const brand = imitatedBrand(labelOf(site));
  if (brand !== undefined) return `looks like ${brand}.com`;
  if (own === undefined || site === own || labelOf(own).length < 6) return undefined;
  const [label, ownLabel] = [labelOf(site), labelOf(own)];
  const isNear = endingOf(site) === endingOf(own) && (isSlip(label, ownLabel) || isDisguise(label, ownLabel));
  return isNear ? `looks like ${own}, which the other links lead to` : undefined;
}

/** The last two labels, or three where the last two are an ending, as in `shop.co.uk`. */
function siteOf(host: string): string {
  const labels = host.split(".");
  const isEnding = /^(?:com?|org|net|gov|ac|edu)$/.test(labels.at(-2) ?? "") && labels.at(-1)?.length === 2;
  return labels.slice(isEnding ? -3 : -2).join(".");
}

function labelOf(site: string): string {
  return site.split(".")[0] ?? "";
}

function endingOf(site: string): string {
  return site.split(".").slice(1).join(".");
}

/** What at least two links lead to, and more than to any other. */
function mostUsed(sites: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const site of sites) counts.set(site, (counts.get(site) ?? 0) + 1);
  const [first, second] = [...counts].toSorted(([, a], [, b]) => b - a);
  return first && first[1] >= 2 && first[1] > (second?.[1] ?? 0) ? first[0] : undefined;
}
