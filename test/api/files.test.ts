import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Base64Content, type OutboundEmail } from "../../src/api/index.js";
import { answerJson, rejection, serve, serveConnections, transports, unusedUrl } from "./servers.js";

const accepted = { id: "1.a", message_id: "<1@example.com>" };
const mail = { from: "shop", to: "ada@example.org", subject: "Täglich 👩‍🚀", text: '"Hi"\n' };
const withFile = (bytes: Uint8Array): OutboundEmail => ({
  ...mail,
  attachments: [{ filename: "a.bin", content: new Base64Content(bytes) }],
});

describe.each(transports)("$transport", ({ clientOf }) => {
  test("sends files as base64 between the other fields, with a known length", async () => {
    const { url, seen } = await serve((_, response) => answerJson(response, 200, accepted));
    const bytes = randomBytes(200_000);
    const email: OutboundEmail = {
      attachments: [
        { filename: "ü.bin", content: new Base64Content(bytes), content_type: "application/x-thing" },
        { filename: "b.txt", content: "aGVsbG8=" },
        { filename: 'c".txt', content: new Base64Content(bytes.subarray(7, 8)), content_id: "c" },
      ],
      ...mail,
      variables: { at: new Date(0), missing: undefined },
    };
    expect(await clientOf(url).emails.send("example.com", email)).toEqual(accepted);
    const body = seen[0]?.body ?? "";
    expect(JSON.parse(body)).toEqual({
      ...mail,
      variables: { at: "1970-01-01T00:00:00.000Z" },
      attachments: [
        { filename: "ü.bin", content: bytes.toString("base64"), content_type: "application/x-thing" },
        { filename: "b.txt", content: "aGVsbG8=" },
        { filename: 'c".txt', content: bytes.toString("base64", 7, 8), content_id: "c" },
      ],
    });
    expect(seen[0]?.headers).toMatchObject({
      "content-length": String(Buffer.byteLength(body)),
      "content-type": "application/json",
    });
    expect(seen[0]?.headers["transfer-encoding"]).toBeUndefined();
  });

  test("sends files as JSON.stringify writes them, whatever their sizes", async () => {
    const { url, seen } = await serve((_, response) => answerJson(response, 200, accepted));
    const client = clientOf(url, { pacing: false });
    const size = fc.oneof(fc.nat(10), fc.nat(120_000), fc.constantFrom(49_151, 49_152, 49_153, 98_304));
    await fc.assert(
      fc.asyncProperty(fc.array(size, { minLength: 1, maxLength: 5 }), async (sizes) => {
        const attachments = sizes.map((bytes, index) => ({
          filename: `${index}.bin`,
          content: new Base64Content(Buffer.alloc(bytes, index + 65)),
        }));
        await client.emails.send("example.com", { ...mail, attachments });
        expect(JSON.parse(seen.at(-1)?.body ?? "")).toEqual(JSON.parse(JSON.stringify({ ...mail, attachments })));
      }),
      { numRuns: 20 },
    );
  });

  test("sends nothing over a refused connection", async () => {
    const client = clientOf(await unusedUrl(), { retries: 0 });
    const error = await rejection(client.emails.send("example.com", withFile(Buffer.alloc(1e6))));
    expect(error).toMatchObject({ code: "unreachable", requestSent: false });
  });

  test("retries a try that was not sent with the complete files", async () => {
    const url = await unusedUrl();
    const client = clientOf(url, { retries: 50, timeoutMs: 60_000 });
    const bytes = randomBytes(3_000_000);
    const sending = client.emails.send("example.com", withFile(bytes));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const seen: string[] = [];
    const server = createServer((request, response) => {
      const hash = createHash("sha256");
      request.on("data", (chunk: Buffer) => hash.update(chunk));
      request.on("end", () => {
        seen.push(hash.digest("hex"));
        answerJson(response, 200, accepted);
      });
    });
    await new Promise<void>((resolve) => server.listen(Number(new URL(url).port), "127.0.0.1", resolve));
    expect(await sending).toEqual(accepted);
    expect(seen).toEqual([
      createHash("sha256")
        .update(JSON.stringify(withFile(bytes)))
        .digest("hex"),
    ]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test("may have sent the request if a connection breaks while files are written", async () => {
    const { url } = await serveConnections((socket) => socket.once("data", () => socket.destroy()));
    expect(await rejection(clientOf(url).emails.send("example.com", withFile(Buffer.alloc(8e6))))).toMatchObject({
      code: "unreachable",
      requestSent: true,
    });
  });

  test("reads a refusal that arrives before all files were written", async () => {
    const body = JSON.stringify({ message: "Too many", errors: {} });
    const { url } = await serveConnections((socket) =>
      socket.once("data", () =>
        socket.write(`HTTP/1.1 429 Slow down\r\nretry-after: 7\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
      ),
    );
    const client = clientOf(url, { pacing: false });
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect(await rejection(client.emails.send("example.com", withFile(Buffer.alloc(8e6))))).toMatchObject({
        code: "refused",
        status: 429,
        retryAfterSeconds: 7,
      });
  });

  test("stops writing when a server stops reading, until the timeout", async () => {
    const { url } = await serveConnections((socket) => socket.pause());
    let written = 0;
    const bytes = new (class extends Base64Content {
      override *pieces(): Iterable<string> {
        for (const piece of super.pieces()) {
          written += piece.length;
          yield piece;
        }
      }
    })(Buffer.alloc(50e6));
    const email = { ...mail, attachments: [{ filename: "a.bin", content: bytes }] };
    expect(await rejection(clientOf(url, { timeoutMs: 1_000 }).emails.send("example.com", email))).toMatchObject({
      code: "timeout",
      requestSent: true,
    });
    expect(written).toBeLessThan(20e6);
  });

  test("ends a call at a signal while files are written", async () => {
    const controller = new AbortController();
    const { url } = await serveConnections((socket) =>
      socket.once("data", () => {
        socket.pause();
        controller.abort();
      }),
    );
    const { signal } = controller;
    expect(
      await rejection(clientOf(url).emails.send("example.com", withFile(Buffer.alloc(8e6)), { signal })),
    ).toMatchObject({
      code: "aborted",
      requestSent: true,
    });
  });

  test("reuses connections after files were sent", async () => {
    const ports = new Set<number | undefined>();
    const { url } = await serve((_, response) => {
      ports.add(response.socket?.remotePort);
      answerJson(response, 200, accepted);
    });
    const client = clientOf(url, { pacing: false });
    for (let count = 0; count < 5; count += 1) await client.emails.send("example.com", withFile(Buffer.alloc(500_000)));
    expect(ports.size).toBeLessThan(3);
  });
});
