import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AttachmentContent } from "../../../src/send/attachments/attachment.js";
import { holdStreams } from "../../../src/send/attachments/streams.js";
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

/** Pieces without end, and how many of them were asked for. */
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
  "a file in small pieces": () => createReadStream(path.join(folder, "a.pdf"), { highWaterMark: 3 }),
  "a Readable": () => Readable.from([PDF.subarray(0, 10), PDF.subarray(10)]),
  "a Readable of texts": () => Readable.from(PDF.toString().match(/.{1,7}/gs) ?? []),
  "a pipe": () => new PassThrough().end(PDF),
  "a generator": () => bytewise(PDF),
  "a stream of the web": () => new Blob([PDF]).stream(),
  "an answer of fetch": () => new Response(PDF).body ?? "",
  "a stream with a reader alone": () => {
    const reader = new Blob([PDF]).stream().getReader();
    return { getReader: () => ({ read: () => reader.read(), cancel: () => reader.cancel() }) };
  },
  "a Blob": () => new Blob([PDF]),
  "a File": () => new File([PDF], "b.pdf"),
};

test.each(Object.entries(STREAMS))("%s is read to its end", async (_, open) => {
  const { sent, problems } = await read({ filename: "a.pdf", content: open() });
  expect(problems).toEqual([]);
  expect(JSON.parse(JSON.stringify(sent))).toEqual([
    { filename: "a.pdf", content: PDF.toString("base64"), content_type: "application/pdf" },
  ]);
});

test("a program is found in a stream", async () => {
  const { problems } = await read({ filename: "a.pdf", content: bytewise(PROGRAMS["PE"] ?? PDF) });
  expect(problems).toEqual([
    "attachments[0].content: is a program (exe), whatever its name says. Send a link to it instead.",
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
  "one of empty pieces": [() => Readable.from([Buffer.alloc(0), Buffer.alloc(0)]), "is empty"],
  "one that fails": [() => failing(Object.assign(new Error("/home/ada: no"), { code: "EIO" })), "cannot be read (EIO)"],
  "one that fails without a code": [() => failing(new TypeError("ada@example.com")), "cannot be read (TypeError)"],
  "a missing file": [() => createReadStream(path.join(folder, "missing.pdf")), "cannot be read (ENOENT)"],
  "a generator that throws": [
    async function* () {
      yield PDF;
      throw new RangeError("no");
    },
    "cannot be read (RangeError)",
  ],
  "a generator that throws what is no error": [
    async function* () {
      yield PDF;
      // oxlint-disable-next-line typescript/only-throw-error
      throw "no";
    },
    "cannot be read (unknown reason)",
  ],
  "one of objects": [() => Readable.from([{ a: 1 }]), "gives something that is neither bytes nor a text"],
  "one of numbers": [() => Readable.from([1, 2]), "gives something that is neither bytes nor a text"],
  "one with an encoding": [
    () => createReadStream(path.join(folder, "a.pdf"), "utf8"),
    "is a stream of text: make it one of bytes, without an encoding",
  ],
  "one that was destroyed": [() => Readable.from([PDF]).destroy(), "cannot be read (ERR_STREAM_PREMATURE_CLOSE)"],
  "one that somebody else reads": [
    () => {
      const { body } = new Response(PDF);
      body?.getReader();
      return body;
    },
    "cannot be read (ERR_INVALID_STATE)",
  ],
};

test.each(Object.entries(BROKEN))("%s is a problem, and no error", async (_, [open, message]) => {
  expect((await readAll([{ filename: "a.txt", content: open() }])).problems).toEqual([
    `attachments[0].content: ${message}`,
  ]);
});

test("one that was read before gives nothing, and says so", async () => {
  expect((await read({ filename: "a.txt", content: await consumed() })).problems).toEqual([
    "attachments[0].content: is a stream that was read before: make a new one for each send",
  ]);
});

test("one of which a part was read is not sent without it", async () => {
  const stream = Readable.from([PDF.subarray(0, 4), PDF.subarray(4)], { objectMode: false });
  await once(stream, "readable");
  stream.read(2);
  expect((await read({ filename: "a.txt", content: stream })).problems).toEqual([
    "attachments[0].content: is a stream that was read before: make a new one for each send",
  ]);
});

test("the same stream in two attachments is read once", async () => {
  const content = Readable.from([PDF]);
  const { problems } = await read({ filename: "a.pdf", content }, { filename: "b.pdf", content });
  expect(problems).toEqual([expect.stringContaining("attachments[1].content: ")]);
});

test("reading stops once it is certain that it is too much", async () => {
  const { stream, seen } = endless(Buffer.alloc(1024 * 1024, "a"));
  expect((await read({ filename: "a.txt", content: stream })).problems).toEqual([
    "attachments: are more than 10.48 MB together; the service takes 10 MB",
  ]);
  expect(seen).toEqual({ pieces: 11, isEnded: true });
});

test("what the other attachments take leaves less room", async () => {
  const { stream, seen } = endless(Buffer.alloc(1024 * 1024, "a"));
  const content = Buffer.alloc(8 * 1024 * 1024, "b");
  const { problems } = await read(
    { filename: "a.txt", content: stream },
    { filename: "b.txt", content },
    { filename: "c.txt", content: bytewise(PDF) },
  );
  expect(problems).toEqual(["attachments: are more than 10.48 MB together; the service takes 10 MB"]);
  expect(seen).toEqual({ pieces: 3, isEnded: true });
});

test("a stream that is not needed any more is ended, and not read", async () => {
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

test("a signal ends a stream that gives nothing", async () => {
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

test("a signal ends a generator that never answers", async () => {
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
  "a stream of the web that gives nothing": () => new ReadableStream<Uint8Array>(),
  "a generator that never answers": () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }),
  "a stream that drips": () => Readable.from(dripping()),
  "a Blob that never comes": () => ({ size: 10, arrayBuffer: never }),
};

async function* dripping() {
  for (;;) {
    await new Promise((resolve) => void setTimeout(resolve, 5));
    yield Uint8Array.of(0x20);
  }
}

test.each(Object.entries(STALLED))("%s is ended when its time is over, and named", async (_, open) => {
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
  expect(problems).toEqual([
    "attachments[1].content: was not read to its end within 0.05 s; timeoutMs allows for more",
  ]);
  if (content instanceof Readable) expect(content.destroyed).toBe(true);
  expect(unread.destroyed).toBe(true);
});

test("no timer is left when all are read", async () => {
  const clock = new VirtualClock();
  await readAll([{ filename: "a.pdf", content: new Blob([PDF]) }], undefined, { clock });
  expect(clock.waiting).toBe(0);
});

test("a stream that fails before it is read does not end the process", async () => {
  const content = createReadStream(path.join(folder, "missing.pdf"));
  const attachments = [{ filename: "a.pdf", content }, { filename: "b.pdf", content: PDF }, null, 7];
  holdStreams(attachments);
  holdStreams(undefined);
  await new Promise<void>((resolve) => void content.once("close", () => resolve()));
  expect((await readAll(attachments.slice(0, 2))).problems).toEqual([
    "attachments[0].content: cannot be read (ENOENT)",
  ]);
});
