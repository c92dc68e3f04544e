/** The usual media types of file extensions, as registered with IANA if they are. */
const TYPES = `
  application/pdf pdf
  application/json json
  application/xml xml
  application/rtf rtf
  application/zip zip
  application/gzip gz tgz
  application/x-tar tar
  application/x-7z-compressed 7z
  application/vnd.rar rar
  application/epub+zip epub
  application/msword doc dot
  application/vnd.ms-excel xls xlt
  application/vnd.ms-powerpoint ppt pps pot
  application/vnd.ms-outlook msg
  application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
  application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
  application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
  application/vnd.openxmlformats-officedocument.presentationml.slideshow ppsx
  application/vnd.oasis.opendocument.text odt
  application/vnd.oasis.opendocument.spreadsheet ods
  application/vnd.oasis.opendocument.presentation odp
  application/vnd.apple.pages pages
  application/vnd.apple.numbers numbers
  application/vnd.apple.keynote key
  application/vnd.apple.pkpass pkpass
  application/pkcs7-signature p7s
  application/pkcs7-mime p7m
  application/pgp-signature sig
  application/pgp-keys asc
  application/postscript ps eps ai
  message/rfc822 eml
  text/plain txt text log
  text/csv csv
  text/tab-separated-values tsv
  text/html html htm
  text/css css
  text/markdown md markdown
  text/calendar ics ifb
  text/vcard vcf
  application/yaml yaml yml
  image/png png
  image/jpeg jpg jpeg jpe jfif
  image/gif gif
  image/webp webp
  image/svg+xml svg
  image/avif avif
  image/heic heic
  image/heif heif
  image/bmp bmp
  image/tiff tif tiff
  image/x-icon ico
  audio/mpeg mp3
  audio/mp4 m4a
  audio/ogg oga ogg opus
  audio/wav wav
  audio/flac flac
  video/mp4 mp4 m4v
  video/quicktime mov
  video/webm webm
  video/mpeg mpg mpeg
  font/ttf ttf
  font/otf otf
  font/woff woff
  font/woff2 woff2
`;

const BY_EXTENSION = new Map(
  TYPES.trim()
    .split("\n")
    .flatMap((line) => {
      const [type = "", ...extensions] = line.trim().split(" ");
      return extensions.map((extension) => [extension, type] as const);
    }),
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
