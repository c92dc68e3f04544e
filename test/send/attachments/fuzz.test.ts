import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { BLOCK_LISTS, blockListOf } from "../../../src/send/attachments/blocked-types.js";
import { blockedExtension } from "../../../src/send/attachments/filenames.js";
import { inspectContent } from "../../../src/send/attachments/attachments.js";
import { namedGzip, rar4, rar5, sevenZip, tar, unicodePath, zip } from "./archives.js";
import { DOC, DOCX, MP4, PDF, PNG } from "./files.js";
import { verdictOn } from "./read.js";
import { processorTime } from "../../processor-time.js";

const numRuns = process.env["MODE"] === "long" ? 20_000 : 300;

const WHOLE = [
  zip(["a.txt", { name: "b/c.txt", extra: unicodePath("b/ç.txt") }]),
  zip(["a.txt"], { isZip64: true, hasDescriptors: true }),
  tar(["a.txt", "x".repeat(300)]),
  gzipSync(tar(["a.txt"])),
  namedGzip("a.txt", gzipSync(Buffer.from("hello"))),
  rar4(["a.txt", "b.txt"]),
  rar5(["a.txt", "b.txt"]),
  sevenZip(["a.txt", "b.txt"]),
  DOC,
  DOCX,
  PDF,
  PNG,
  MP4,
];

/** An archive with some bytes changed, removed or duplicated. */
const mutated = fc
  .record({
    whole: fc.constantFrom(...WHOLE),
    changes: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 12 }),
    cut: fc.tuple(fc.nat(), fc.nat()),
    isCut: fc.boolean(),
    repeated: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ whole, changes, cut, isCut, repeated }) => {
    const bytes = Buffer.concat(Array.from({ length: repeated }, () => whole));
    for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
    const [from = 0, to = 0] = cut.map((at) => at % bytes.length).toSorted((a, b) => a - b);
    return isCut ? Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]) : bytes;
  });

const begun = fc
  .tuple(fc.constantFrom(...WHOLE, Buffer.alloc(0)), fc.nat({ max: 40 }), fc.uint8Array({ maxLength: 3000 }))
  .map(([whole, length, rest]) => Buffer.concat([whole.subarray(0, length), rest]));

test("never throws or takes long, whatever the file is", async () => {
  const tell = { refuse: () => undefined, warn: () => undefined };
  await fc.assert(
    fc.asyncProperty(fc.oneof(mutated, begun), async (bytes) => {
      expect(await processorTime(() => inspectContent("a.pdf", bytes, tell))).toBeLessThan(4000);
    }),
    { numRuns },
  );
});

const folders = fc.array(fc.stringMatching(/^[\w -]{1,8}$/), { maxLength: 3 });
const stem = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 10 })
  .map((text) => text.replaceAll(/[\p{Cc}/\\:.%]/gu, "_"));
const EXTENSIONS = BLOCK_LISTS.flatMap(({ extensions }) => [...extensions]);
const extension = fc.constantFrom(...EXTENSIONS);
const extensionInArchive = fc.constantFrom(...EXTENSIONS.filter((each) => blockListOf(each, { inArchive: true })));
const archive = fc.constantFrom(
  (names: string[]) => zip(names),
  (names: string[]) => zip(names, { hasDescriptors: true, isEncrypted: true, prefix: PDF }),
  (names: string[]) => zip(names, { isZip64: true, isStored: true }),
  (names: string[]) => tar(names),
  (names: string[]) => tar(names, { longNames: "pax" }),
  (names: string[]) => gzipSync(tar(names)),
  (names: string[]) => rar4(names),
  (names: string[]) => rar5(names),
  (names: string[]) => sevenZip(names),
);

test("finds a blocked name in every archive, wherever it is", async () => {
  await fc.assert(
    fc.asyncProperty(
      archive,
      folders,
      stem,
      extensionInArchive,
      fc.nat({ max: 5 }),
      async (build, path, name, blocked, others) => {
        const names = [
          ...Array.from({ length: others }, (_, index) => `file ${index}.txt`),
          [...path, `${name}.${blocked}`].join("/"),
        ];
        expect(await verdictOn("files.bin", build(names))).toBe(
          `refused: contains a file with the extension ".${blocked}", which mail servers block even in archives. Send a link instead.`,
        );
      },
    ),
    { numRuns },
  );
});

test("blocks an extension in any case, width and surroundings", () => {
  const wide = (text: string) =>
    text.replaceAll(/[a-z0-9]/g, (sign) => String.fromCodePoint(sign.charCodeAt(0) + 0xfee0));
  const random = (text: string) => Array.from(text, (sign, index) => (index % 2 ? sign.toUpperCase() : sign)).join("");
  const change = fc.constantFrom<(text: string) => string>(
    (text) => text.toUpperCase(),
    random,
    wide,
    (text) => text.split("").join("\u200b"),
    (text) => `${text}. .`,
    (text) => ` ${text}`,
    (text) => `${text}\u00a0`,
    (text) => `${text}::$DATA`,
    (text) => text.normalize("NFD").replace(/.$/, "$&\u0301"),
  );
  fc.assert(
    fc.property(stem, extension, change, change, fc.boolean(), (name, blocked, first, second, isEncoded) => {
      const changed = second(first(blocked));
      expect(blockedExtension(`${name}.${isEncoded ? encodeURIComponent(changed) : changed}`)).toBeDefined();
    }),
    { numRuns },
  );
});
