import { zipContents } from "./archives/zip.js";

/** How contents begin, in Latin-1, by the extension that they would have. The first match counts. */
const BEGINNINGS: readonly (readonly [kind: string, beginning: RegExp])[] = [
  ["pdf", /^\s{0,64}%PDF-/],
  ["png", /^\x89PNG\r\n\x1a\n/],
  ["jpg", /^\xff\xd8\xff/],
  ["gif", /^GIF8[79]a/],
  ["webp", /^RIFF[^]{4}WEBP/],
  ["wav", /^RIFF[^]{4}WAVE/],
  ["avi", /^RIFF[^]{4}AVI /],
  ["avif", /^[^]{4}ftypavi[fs]/],
  ["heic", /^[^]{4}ftyp(?:hei[cmsx]|hev[cmsx]|mif1|msf1)/],
  ["mov", /^[^]{4}ftypqt|^[^]{4}(?:moov|wide|free|mdat)/],
  ["mp4", /^[^]{4}ftyp/],
  ["webm", /^\x1aE\xdf\xa3/],
  ["ogg", /^OggS/],
  ["flac", /^fLaC/],
  ["mp3", /^(?:ID3|\xff[\xe2-\xe7\xea-\xef\xf2-\xf7\xfa-\xff])/],
  ["mpg", /^\x00\x00\x01[\xba\xb3]/],
  ["bmp", /^BM[^]{4}\x00{4}/],
  ["tif", /^(?:II[*+]\x00|MM\x00[*+])/],
  ["ico", /^\x00\x00\x01\x00[^\x00]\x00/],
  ["woff", /^wOFF/],
  ["woff2", /^wOF2/],
  ["ttf", /^\x00\x01\x00\x00\x00/],
  ["otf", /^OTTO\x00/],
  ["rtf", /^\{\\rtf/],
  ["ps", /^%!PS/],
  ["eps", /^\xc5\xd0\xd3\xc6/],
  ["cfb", /^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/],
  ["epub", /^PK\x03\x04[^]{26}mimetypeapplication\/epub\+zip/],
  ["odt", /^PK\x03\x04[^]{26}mimetypeapplication\/vnd\.oasis\.opendocument\.text/],
  ["ods", /^PK\x03\x04[^]{26}mimetypeapplication\/vnd\.oasis\.opendocument\.spreadsheet/],
  ["odp", /^PK\x03\x04[^]{26}mimetypeapplication\/vnd\.oasis\.opendocument\.presentation/],
  ["zip", /^PK(?:\x03\x04|\x05\x06|\x07\x08)/],
  ["gz", /^\x1f\x8b/],
  ["7z", /^7z\xbc\xaf\x27\x1c/],
  ["rar", /^Rar!\x1a\x07/],
  ["tar", /^[^]{257}ustar/],
  ["bz2", /^BZh[1-9]/],
  ["xz", /^\xfd7zXZ\x00/],
  ["zst", /^\x28\xb5\x2f\xfd/],
  ["lz", /^LZIP/],
  ["lz4", /^\x04\x22\x4d\x18/],
  ["lzh", /^[^]{2}-lh[0-7d]-/],
  ["Z", /^\x1f[\x9d\xa0]/],
  ["arj", /^\x60\xea/],
  ["ace", /^[^]{7}\*\*ACE\*\*/],
  ["cpio", /^(?:\xc7\x71|07070)/],
  ["ar", /^!<arch>/],
  ["xml", /^(?:\xef\xbb\xbf)?<\?xml /],
];
const HEAD_BYTES = 512;

/** Parts that identify a zip as an Office document. */
const OFFICE: readonly (readonly [kind: string, part: RegExp])[] = [
  ["docx", /^word\//],
  ["xlsx", /^xl\//],
  ["pptx", /^ppt\//],
];

/** Formats that are based on another, or that programs also write with other extensions. */
const ALSO: Readonly<Record<string, string>> = {
  zip: "docx xlsx pptx ppsx odt ods odp epub pages numbers key pkpass",
  cfb: "doc dot xls xlt ppt pps pot msg docx xlsx pptx",
  docx: "dotx",
  pptx: "ppsx",
  xml: "svg",
  pdf: "ai",
  ps: "eps ai",
  eps: "ps ai",
  rtf: "doc",
  gz: "tgz",
  heic: "heif",
};

/** What programs write first into such a document; in a plain zip, a document's own name comes first. */
const OFFICE_BEGINS = /^(?:\[Content_Types\]\.xml$|(?:_rels|docProps|customXml|word|xl|ppt)\/)/;

const KNOWN = new Set([
  ...BEGINNINGS.map(([kind]) => kind),
  ...OFFICE.map(([kind]) => kind),
  ...Object.values(ALSO).flatMap((extensions) => extensions.split(" ")),
]);

/**
 * The type of a file according to its content, as an extension; undefined for plain text and unknown types.
 *
 * @example
 * kindOf(await readFile("figures.pdf")); // "xlsx"
 */
export function kindOf(bytes: Buffer): string | undefined {
  const head = bytes.toString("latin1", 0, HEAD_BYTES);
  const kind = BEGINNINGS.find(([, beginning]) => beginning.test(head))?.[0];
  if (kind !== "zip") return kind;
  const names = zipContents(bytes)?.names ?? [];
  if (!OFFICE_BEGINS.test(names[0] ?? "")) return kind;
  return OFFICE.find(([, part]) => names.some((name) => part.test(name)))?.[0] ?? kind;
}

/** Whether a file with the extension may have such content. */
export function fits(kind: string, extension: string): boolean {
  return kind === extension || (ALSO[kind]?.split(" ").includes(extension) ?? false);
}

/** Whether content of this extension's type would be recognised. */
export function isRecognised(extension: string): boolean {
  return KNOWN.has(extension);
}
