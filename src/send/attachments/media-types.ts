const OFFICE = "vnd.openxmlformats-officedocument";
const OPEN_DOCUMENT = "vnd.oasis.opendocument";

/** The usual subtypes of each media type with their file extensions, as registered with IANA if they are. */
const SUBTYPES: Readonly<Record<string, string>> = {
  application:
    "pdf pdf, json json, xml xml, rtf rtf, zip zip, gzip gz tgz, x-tar tar, x-7z-compressed 7z, " +
    "vnd.rar rar, epub+zip epub, msword doc dot, vnd.ms-excel xls xlt, vnd.ms-powerpoint ppt pps pot, " +
    `vnd.ms-outlook msg, ${OFFICE}.wordprocessingml.document docx, ${OFFICE}.spreadsheetml.sheet xlsx, ` +
    `${OFFICE}.presentationml.presentation pptx, ${OFFICE}.presentationml.slideshow ppsx, ` +
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

/**
 * The media type of a file, by its name. Undefined for unusual ones, which the service may know.
 *
 * @example
 * mediaTypeOf("Invoice.PDF"); // "application/pdf"
 */
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
