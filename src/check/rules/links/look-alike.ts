import { nearest } from "../../../nearest.js";

/**
 * Why a host looks like another one; undefined where it does not.
 *
 * @example
 * whyDeceiving("www.paypa1.com", undefined); // "looks like paypal.com"
 *
 * @param own The site that most of an email's links lead to.
 */
export function whyDeceiving(host: string, own: string | undefined): string | undefined {
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
export function siteOf(host: string): string {
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

/** Letters of Cyrillic and Greek that look like Latin ones. */
const LIKE_LATIN = new Set("асеорхуіјѕһԁԛԝАВЕКМНОРСТХУІЈЅαονρυχκιΑΒΕΖΗΙΚΜΝΟΡΤΥΧ");

/**
 * The letters of a word that pretend to be others.
 *
 * @example
 * lookAlikes("раypal"); // ["р", "а"]
 */
function lookAlikes(word: string): string[] | undefined {
  if (!/\p{Script=Latin}/u.test(word)) return undefined;
  const foreign = word.match(/[\p{Script=Cyrillic}\p{Script=Greek}]/gu) ?? [];
  return foreign.length > 0 && foreign.every((letter) => LIKE_LATIN.has(letter)) ? [...new Set(foreign)] : undefined;
}

/** What phishing imitates most, by the names of their domains. */
const BRANDS =
  "adobe airbnb amazon apple binance booking chase citibank coinbase docusign dropbox facebook fedex github gmail google hotmail icloud instagram linkedin mastercard microsoft netflix office365 onedrive outlook paypal sharepoint shopify spotify stripe telegram twitter walmart wellsfargo whatsapp yahoo youtube".split(
    " ",
  );

const DIGITS: Readonly<Record<string, string>> = { "0": "o", "1": "l", "3": "e", "4": "a", "5": "s", "7": "t" };

/**
 * The brand that a label of a domain imitates, by digits or by letters that look the same, or by one letter that is
 * missing, doubled, swapped or mistyped.
 *
 * @example
 * imitatedBrand("paypa1"); // "paypal"
 * imitatedBrand("paypal"); // undefined
 */
function imitatedBrand(label: string): string | undefined {
  if (BRANDS.includes(label)) return undefined;
  const read = readings(label);
  return (
    BRANDS.find((brand) => read.includes(brand)) ?? BRANDS.find((brand) => brand.length >= 6 && isSlip(label, brand))
  );
}

/** Whether a domain has a brand's own as its beginning: `paypal.com.pay.example`. */
function borrowedBrand(host: string): string | undefined {
  if (!/\.com[.-]/.test(host)) return undefined;
  return BRANDS.find((brand) => new RegExp(`(?:^|\\.)${brand}\\.com[.-]`).test(host));
}

/** Whether a name is another one with digits or letters that look like its own. */
function isDisguise(label: string, own: string): boolean {
  return label !== own && readings(label).includes(own);
}

function readings(label: string): string[] {
  const straight = label.replace(/[013457]/g, (digit) => DIGITS[digit] ?? digit);
  return [straight, straight.replaceAll("rn", "m"), straight.replaceAll("vv", "w"), label.replaceAll("1", "i")];
}

/** Whether two names differ by one letter that was dropped, doubled, mistyped or swapped with its neighbour. */
function isSlip(one: string, other: string): boolean {
  const [digits, others] = [one, other].map((name) => name.replaceAll(/\D/g, ""));
  return one !== other && digits === others && nearest(one, [other], 1) !== undefined;
}
