import { gzipSync } from "node:zlib";
import { numbers, tar, zip } from "./archives.js";

// Small files of many kinds, as programs write them and applications attach them.

export const PDF = Buffer.from(
  "%PDF-1.7\n%âãÏÓ\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n",
);
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
export const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
export const JPEG = Buffer.concat([
  Buffer.from("ffd8ffe000104a46494600010100000100010000", "hex"),
  Buffer.alloc(64, 7),
  Buffer.from("ffd9", "hex"),
]);
export const WEBP = Buffer.concat([Buffer.from("RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0/\0\0\0"), Buffer.alloc(12)]);

const types = (part: string, type: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${part}" ContentType="application/${type}.main+xml"/></Types>`;

/** An Office document: its main part, that part's type without `application/` and `.main+xml`, and other parts. */
export function office(part: string, type: string, ...more: string[]): Buffer {
  const relations = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="${part}"/></Relationships>`;
  return zip([
    { name: "[Content_Types].xml", content: types(part, type) },
    { name: "_rels/.rels", content: relations },
    { name: part, content: "<document/>" },
    { name: "docProps/app.xml", content: "<Properties/>" },
    { name: "docProps/core.xml", content: "<coreProperties/>" },
    ...more,
  ]);
}

export const DOCX = office(
  "word/document.xml",
  "vnd.openxmlformats-officedocument.wordprocessingml.document",
  "word/media/image1.png",
  "word/webSettings.xml",
  "word/embeddings/oleObject1.bin",
);
export const XLSX = office(
  "xl/workbook.xml",
  "vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "xl/worksheets/_rels/sheet1.xml.rels",
  "xl/printerSettings/printerSettings1.bin",
);
export const PPTX = office(
  "ppt/presentation.xml",
  "vnd.openxmlformats-officedocument.presentationml.presentation",
  "ppt/media/media1.mp4",
);
export const ODT = zip([
  { name: "mimetype", content: "application/vnd.oasis.opendocument.text" },
  "content.xml",
  "Configurations2/accelerator/current.xml",
  "META-INF/manifest.xml",
]);
export const EPUB = zip([
  { name: "mimetype", content: "application/epub+zip" },
  "META-INF/container.xml",
  "OEBPS/chapter1.xhtml",
]);
export const EPUB_WITH_SCRIPTS = zip(
  [
    { name: "mimetype", content: "application/epub+zip" },
    "META-INF/container.xml",
    { name: "OEBPS/quiz.xhtml", content: '<html xmlns="http://www.w3.org/1999/xhtml"><script src="quiz.js"/></html>' },
    { name: "OEBPS/quiz.js", content: "check();" },
    { name: "OEBPS/lib/chart.mjs", content: "export {};" },
  ],
  { isStored: true },
);
export const PKPASS = zip(["pass.json", "manifest.json", "signature", "icon@2x.png", "en.lproj/pass.strings"]);

/** A compound file, as Word before 2007 wrote it: its root has the class id of a Word document. */
export const DOC = compoundFile("0609020000000000c000000000000046");
export const MSI = compoundFile("84100c0000000000c000000000000046");

function compoundFile(classId: string): Buffer {
  const file = Buffer.alloc(2048);
  file.write("d0cf11e0a1b11ae1", 0, "hex");
  numbers([2, 0x3e], [2, 3], [2, 0xfffe], [2, 9]).copy(file, 0x18);
  numbers([4, 1]).copy(file, 0x30);
  file.write("Root Entry", 1024, "utf16le");
  file.write(classId, 1024 + 0x50, "hex");
  return file;
}

export const MP3 = Buffer.concat([
  Buffer.from("ID3\x03\0\0\0\0\0\x0a"),
  Buffer.alloc(10),
  Buffer.from("fffb9000", "hex"),
  Buffer.alloc(800),
]);
export const WAV = Buffer.concat([Buffer.from("RIFF\x24\0\0\0WAVEfmt \x10\0\0\0"), Buffer.alloc(24)]);
export const MP4 = Buffer.concat([Buffer.from("\0\0\0\x18ftypmp42\0\0\0\0mp42isom"), Buffer.alloc(32)]);
export const ICS = Buffer.from(
  "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Shop//EN\r\nBEGIN:VEVENT\r\nUID:1@shop.example\r\nDTSTAMP:20261122T120000Z\r\nDTSTART:20261124T090000Z\r\nSUMMARY:Delivery\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
);
export const EML = Buffer.from(
  'From: ada@example.com\r\nTo: bo@example.com\r\nSubject: Hi\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="x"\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nHello\r\n--x--\r\n',
);
export const SVG = Buffer.from(
  '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><rect width="1" height="1"/></svg>',
);
export const HTML = Buffer.from("<!doctype html><title>Report</title><script>draw()</script><p>Fine</p>");
export const RTF = Buffer.from("{\\rtf1\\ansi Hello}");
export const TAR_GZ = gzipSync(tar(["report/summary.txt", "report/data.csv"]));

/** Programs, by file format. */
export const PROGRAMS: Readonly<Record<string, Buffer>> = {
  PE: windowsProgram("PE\0\0"),
  "PE, 64 bits, a library": windowsProgram("PE\0\0d\x86"),
  "NE, for 16-bit Windows": windowsProgram("NE"),
  DOS: Buffer.concat([Buffer.from("4d5a900003000000040000 00ffff0000".replaceAll(" ", ""), "hex"), Buffer.alloc(40)]),
  "a DOS stub": Buffer.from("MZ\x90\0"),
  "DOS, reversed": Buffer.concat([Buffer.from("ZM"), Buffer.alloc(60)]),
  "ELF, 64 bits": Buffer.from("7f454c4602010100000000000000000002003e00", "hex"),
  "ELF, 32 bits": Buffer.from("7f454c4601010100000000000000000002000300", "hex"),
  "Mach-O, 64 bits": Buffer.from("cffaedfe07000001030000000200000010000000", "hex"),
  "Mach-O, 32 bits": Buffer.from("cefaedfe0700000003000000", "hex"),
  "Mach-O, big-endian": Buffer.from("feedfacf0000001200000000", "hex"),
  "Mach-O for several processors": Buffer.from("cafebabe0000000201000007", "hex"),
  "a Java class": Buffer.from("cafebabe0000003d001d0a00", "hex"),
  "a Windows shortcut": Buffer.concat([
    Buffer.from("4c0000000114020000000000c000000000000046", "hex"),
    Buffer.alloc(60),
  ]),
  "compiled help": Buffer.concat([Buffer.from("4954534603000000", "hex"), Buffer.alloc(88)]),
  cabinet: Buffer.concat([Buffer.from("MSCF\0\0\0\0"), Buffer.alloc(60)]),
  "dex, for Android": Buffer.concat([Buffer.from("dex\n035\0"), Buffer.alloc(60)]),
  "a Windows Installer package": MSI,
  "a Debian package": Buffer.from("!<arch>\ndebian-binary   1342943816  0     0     100644  4         `\n2.0\n"),
  "an RPM package": Buffer.concat([Buffer.from("edabeedb03000000", "hex"), Buffer.alloc(90)]),
  "a UDF disc image": Buffer.concat([Buffer.alloc(0x8000), Buffer.from("\0BEA01\x01\0"), Buffer.alloc(2000)]),
  "a disc image": Buffer.concat([Buffer.alloc(0x8000), Buffer.from("\x01CD001\x01\0"), Buffer.alloc(2000)]),
  "a macOS disk image": Buffer.concat([Buffer.alloc(1000, 1), Buffer.from("koly\0\0\0\x04"), Buffer.alloc(504)]),
  "a virtual machine disk": Buffer.concat([Buffer.alloc(1000, 1), Buffer.from("conectix"), Buffer.alloc(504)]),
};

function windowsProgram(signature: string): Buffer {
  const program = Buffer.alloc(512);
  program.write("MZ");
  program.writeUInt32LE(128, 0x3c);
  program.write(signature, 128, "latin1");
  return program;
}
