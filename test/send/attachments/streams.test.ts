import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AttachmentContent } from "../../../src/send/attachments/attachment.js";
import { holdStreams } from "../../../src/send/compose.js";
import { SendAbortedError } from "../../../src/send/errors.js";
import { rejection } from "../../api/servers.js";
import { PDF, PROGRAMS } from "./files.js";
import { VirtualClock } from "../virtual-clock.js";
import { read, readAll } from "./read.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "lettershop-"));
  await writeFile(path.join(folder, "a.pdf"), PDF);
});
afterAll(() => rm(folder, { recursive: true }));

/** An endless sequence of chunks, which counts how many were requested. */
function endless(piece: Uint8Array) {
  const seen = { pieces: 0, isEnded: false };
  async function* pieces() {
    try {
      for (;;) {
        seen.pieces += 1;
        yield piece;
      }
    } finally {
      seen.isEnded = true;
    }
  }
  return { seen, stream: pieces() };
}

const never = () => new Promise<never>(() => undefined);
async function* bytewise(bytes: Uint8Array) {
  for (const byte of bytes) yield Uint8Array.of(byte);
}

const STREAMS: Readonly<Record<string, () => AttachmentContent>> = {
  "a file": () => createReadStream(path.join(folder, "a.pdf")),
  "a file in small chunks": () => createReadStream(path.join(folder, "a.pdf"), { highWaterMark: 3 }),
  "a Readable": () => Readable.from([PDF.subarray(0, 10), PDF.subarray(10)]),
  "a Readable of strings": () => Readable.from(PDF.toString().match(/.{1,7}/gs) ?? []),
  "a pipe": () => new PassThrough().end(PDF),
  "a generator": () => bytewise(PDF),
  "a web stream": () => new Blob([PDF]).stream(),
  "a fetch response": () => new Response(PDF).body ?? "",
  "a stream with only a reader": () => {
    const reader = new Blob([PDF]).stream().getReader();
    return { getReader: () => ({ read: () => reader.read(), cancel: () => reader.cancel() }) };
  },
  "a Blob": () => new Blob([PDF]),
  "a File": () => new File([PDF], "b.pdf"),
};

test.each(Object.entries(STREAMS))("reads %s to the end", async (_, open) => {
  const { sent, problems } = await read({ filename: "a.pdf", content: open() });
  expect(problems).toEqual([]);
  expect(JSON.parse(JSON.stringify(sent))).toEqual([
    { filename: "a.pdf", content: PDF.toString("base64"), content_type: "application/pdf" },
  ]);
});

test("finds a program in a stream", async () => {
  const { problems } = await read({ filename: "a.pdf", content: bytewise(PROGRAMS["PE"] ?? PDF) });
  expect(problems).toEqual([
    "attachments[0].content: is a program (exe), regardless of its name. Send a link to it instead.",
  ]);
});

const failing = (error: unknown) =>
  new Readable({
    read() {
      this.push("hello");
      this.destroy(error as Error);
    },
  });

const consumed = async () => {
  const stream = createReadStream(path.join(folder, "a.pdf"));
  for await (const _ of stream);
  return stream;
};

const BROKEN: Readonly<Record<string, readonly [open: () => unknown, message: string]>> = {
  "an empty one": [() => Readable.from([]), "is empty"],
  "one of empty chunks": [() => Readable.from([Buffer.alloc(0), Buffer.alloc(0)]), "is empty"],
  "one that fails": [() => failing(Object.assign(new Error("/home/ada: no"), { code: "EIO" })), "can't be read (EIO)"],
  "one that fails without a code": [() => failing(new TypeError("ada@example.com")), "can't be read (TypeError)"],
  "a missing file": [() => createReadStream(path.join(folder, "missing.pdf")), "can't be read (ENOENT)"],
  "a generator that throws": [
    async function* () {
      yield PDF;
      throw new RangeError("no");
    },
    "can't be read (RangeError)",
  ],
  "a generator that throws a value that is not an error": [
    async function* () {
      yield PDF;
      // oxlint-disable-next-line typescript/only-throw-error
      throw "no";
    },
    "can't be read (unknown reason)",
  ],
  "one of objects": [() => Readable.from([{ a: 1 }]), "contains chunks that are neither bytes nor strings"],
  "one of numbers": [() => Readable.from([1, 2]), "contains chunks that are neither bytes nor strings"],
  "one with an encoding": [
    () => createReadStream(path.join(folder, "a.pdf"), "utf8"),
    "is a text stream: pass a byte stream, without an encoding",
  ],
  "one that was destroyed": [() => Readable.from([PDF]).destroy(), "can't be read (ERR_STREAM_PREMATURE_CLOSE)"],
  "one with another reader": [
    () => {
      const { body } = new Response(PDF);
      body?.getReader();
      return body;
    },
    "can't be read (ERR_INVALID_STATE)",
  ],
};

test.each(Object.entries(BROKEN))("reports a problem for %s, without throwing", async (_, [open, message]) => {
  expect((await readAll([{ filename: "a.txt", content: open() }])).problems).toEqual([
    `attachments[0].content: ${message}`,
  ]);
});

test("refuses a stream that was read before", async () => {
  expect((await read({ filename: "a.txt", content: await consumed() })).problems).toEqual([
    "attachments[0].content: is a stream that was read before: create a new one for each send",
  ]);
});

test("refuses a stream that was partly read", async () => {
  const stream = Readable.from([PDF.subarray(0, 4), PDF.subarray(4)], { objectMode: false });
  await once(stream, "readable");
  stream.read(2);
  expect((await read({ filename: "a.txt", content: stream })).problems).toEqual([
    "attachments[0].content: is a stream that was read before: create a new one for each send",
  ]);
});

test("reads the same stream in two attachments once", async () => {
  const content = Readable.from([PDF]);
  const { problems } = await read({ filename: "a.pdf", content }, { filename: "b.pdf", content });
  expect(problems).toEqual([expect.stringContaining("attachments[1].content: ")]);
});

test("stops reading once the content is definitely too large", async () => {
  const { stream, seen } = endless(Buffer.alloc(1024 * 1024, "a"));
  expect((await read({ filename: "a.txt", content: stream })).problems).toEqual([
    "attachments: has more than 10.48 MB in total; the limit is 10 MB",
  ]);
  expect(seen).toEqual({ pieces: 11, isEnded: true });
});

test("has less room when other attachments take some", async () => {
  const { stream, seen } = endless(Buffer.alloc(1024 * 1024, "a"));
  const content = Buffer.alloc(8 * 1024 * 1024, "b");
  const { problems } = await read(
    { filename: "a.txt", content: stream },
    { filename: "b.txt", content },
    { filename: "c.txt", content: bytewise(PDF) },
  );
  expect(problems).toEqual(["attachments: has more than 10.48 MB in total; the limit is 10 MB"]);
  expect(seen).toEqual({ pieces: 3, isEnded: true });
});

test("closes a stream that is not needed, without reading it", async () => {
  const late = endless(Buffer.from("late"));
  const file = createReadStream(path.join(folder, "a.pdf"));
  const { problems } = await read(
    { filename: "a.txt", content: Buffer.alloc(11e6) },
    { filename: "b.txt", content: late.stream },
    { filename: "c.pdf", content: file },
  );
  expect(problems).toHaveLength(1);
  expect(late.seen.pieces).toBe(0);
  expect(file.destroyed).toBe(true);

  const many = Array.from({ length: 26 }, () => new PassThrough());
  await readAll(many.map((content, index) => ({ filename: `${index}.txt`, content })));
  expect(many.every(({ destroyed }) => destroyed)).toBe(true);
});

test("ends a stalled stream with the signal", async () => {
  const controller = new AbortController();
  const content = new PassThrough();
  const reading = readAll([{ filename: "a.txt", content }], controller.signal);
  content.write("hello");
  setTimeout(() => controller.abort(new Error("enough")), 20);
  const error = await rejection(reading);
  expect(error).toBeInstanceOf(SendAbortedError);
  expect(error).toMatchObject({ code: "aborted", cause: new Error("enough") });
  expect(content.destroyed).toBe(true);
});

test("ends a generator that never answers with the signal", async () => {
  const content = { [Symbol.asyncIterator]: () => ({ next: never }) };
  const signal = AbortSignal.timeout(20);
  expect(await rejection(readAll([{ filename: "a.txt", content }], signal))).toMatchObject({ code: "aborted" });
  expect(await rejection(readAll([{ filename: "a.txt", content }], AbortSignal.abort()))).toMatchObject({
    code: "aborted",
  });
});

const STALLED: Readonly<Record<string, () => AttachmentContent>> = {
  "a stream that stops": () => {
    const stream = new PassThrough();
    stream.write(PDF.subarray(0, 10));
    return stream;
  },
  "a web stream that yields nothing": () => new ReadableStream<Uint8Array>(),
  "a generator that never answers": () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }),
  "a stream that drips": () => Readable.from(dripping()),
  "a Blob that never resolves": () => ({ size: 10, arrayBuffer: never }),
};

async function* dripping() {
  for (;;) {
    await new Promise((resolve) => void setTimeout(resolve, 5));
    yield Uint8Array.of(0x20);
  }
}

test.each(Object.entries(STALLED))("ends %s after the timeout, and names it", async (_, open) => {
  const content = open();
  const unread = new PassThrough();
  const { problems } = await readAll(
    [
      { filename: "a.pdf", content: PDF },
      { filename: "b.txt", content },
      { filename: "c.txt", content: unread },
    ],
    undefined,
    { timeoutMs: 50 },
  );
  expect(problems).toEqual(["attachments[1].content: was not read completely within 0.05 s; increase timeoutMs"]);
  if (content instanceof Readable) expect(content.destroyed).toBe(true);
  expect(unread.destroyed).toBe(true);
});

test("leaves no timer when all are read", async () => {
  const clock = new VirtualClock();
  await readAll([{ filename: "a.pdf", content: new Blob([PDF]) }], undefined, { clock });
  expect(clock.waiting).toBe(0);
});

test("does not crash the process for a stream that fails before it is read", async () => {
  const content = createReadStream(path.join(folder, "missing.pdf"));
  const attachments = [{ filename: "a.pdf", content }, { filename: "b.pdf", content: PDF }, null, 7];
  holdStreams(attachments);
  holdStreams(undefined);
  await new Promise<void>((resolve) => void content.once("close", () => resolve()));
  expect((await readAll(attachments.slice(0, 2))).problems).toEqual(["attachments[0].content: can't be read (ENOENT)"]);
});
