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

/** The type of a file according to its content, as an extension; undefined for plain text and unknown types. */
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

export function isRecognised(extension: string): boolean {
  return KNOWN.has(extension);
}

const OFFICE_TYPE = "vnd.openxmlformats-officedocument";
const OPEN_DOCUMENT = "vnd.oasis.opendocument";

/** The usual subtypes of each media type with their file extensions, as registered with IANA if they are. */
const SUBTYPES: Readonly<Record<string, string>> = {
  application:
    "pdf pdf, json json, xml xml, rtf rtf, zip zip, gzip gz tgz, x-tar tar, x-7z-compressed 7z, " +
    "vnd.rar rar, epub+zip epub, msword doc dot, vnd.ms-excel xls xlt, vnd.ms-powerpoint ppt pps pot, " +
    `vnd.ms-outlook msg, ${OFFICE_TYPE}.wordprocessingml.document docx, ${OFFICE_TYPE}.spreadsheetml.sheet xlsx, ` +
    `${OFFICE_TYPE}.presentationml.presentation pptx, ${OFFICE_TYPE}.presentationml.slideshow ppsx, ` +
    `${OPEN_DOCUMENT}.text odt, ${OPEN_DOCUMENT}.spreadsheet ods, ${OPEN_DOCUMENT}.presentation odp, ` +
    "vnd.apple.pages pages, vnd.apple.numbers numbers, vnd.apple.keynote key, vnd.apple.pkpass pkpass, " +
    "pkcs7-signature p7s, pkcs7-mime p7m, pgp-signature sig, pgp-keys asc, postscript ps eps ai, " +
    "yaml yaml yml",
  message: "rfc822 eml",
  text:
    "plain txt text log, csv csv, tab-separated-values tsv, html html htm, css css, " +
    "markdown md markdown, calendar ics ifb, vcard vcf",
  image:
    "png png, jpeg jpg jpeg jpe jfif, gif gif, webp webp, svg+xml svg, avif avif, heic heic, heif heif, " +
    "bmp bmp, tiff tif tiff, x-icon ico",
  audio: "mpeg mp3, mp4 m4a, ogg oga ogg opus, wav wav, flac flac",
  video: "mp4 mp4 m4v, quicktime mov, webm webm, mpeg mpg mpeg",
  font: "ttf ttf, otf otf, woff woff, woff2 woff2",
};

const BY_EXTENSION = new Map(
  Object.entries(SUBTYPES).flatMap(([type, subtypes]) =>
    subtypes.split(", ").flatMap((entry) => {
      const [subtype = "", ...extensions] = entry.split(" ");
      return extensions.map((extension) => [extension, `${type}/${subtype}`] as const);
    }),
  ),
);

/** The media type of a file, by its name. Undefined for unusual ones, which the service may know. */
export function mediaTypeOf(filename: string): string | undefined {
  return BY_EXTENSION.get(extensionOf(filename));
}

/** The last extension, in lower case; "" if there is none. */
export function extensionOf(filename: string): string {
  return /\.([^.]+)$/.exec(filename)?.[1]?.trim().toLowerCase() ?? "";
}

/** Whether a type is text, so that people may read it in an editor. */
export function isTextType(type: string): boolean {
  return /^text\/|^message\/|[/+](?:json|xml|yaml|postscript|rtf)$|pgp|pkcs7/.test(type);
}
