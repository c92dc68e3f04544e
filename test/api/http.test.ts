import { getEventListeners } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { AbortedError, TimeoutError, UnreachableError } from "../../src/api/errors.js";
import {
  answerJson,
  clientOf as undiciClientOf,
  rejection,
  serve,
  serveConnections,
  transports,
  unusedUrl,
} from "./servers.js";

const count = { total: 3 };

describe.each(transports)("$transport", ({ clientOf: retryingClientOf }) => {
  /** Failed calls are not retried: each of these tests is about one try. */
  const clientOf: typeof retryingClientOf = (url, options) => retryingClientOf(url, { retries: 0, ...options });

  test("reports a refused connection as unreachable, with nothing sent", async () => {
    const url = await unusedUrl();
    const error = await rejection(clientOf(url).logs.count("example.com"));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({
      code: "unreachable",
      requestSent: false,
      url: `${url}/v4/domains/example.com/logs/count`,
    });
    expect(String(error)).toContain("ECONNREFUSED");
  });

  test("reports a name that does not resolve as unreachable, with nothing sent", async () => {
    // The resolver itself refuses a label of 64 characters, without a lookup.
    const error = await rejection(clientOf(`https://${"a".repeat(64)}.test`).logs.count("example.com"));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({ requestSent: false });
  });

  test("reports a connection that can't be secured as unreachable, with nothing sent", async () => {
    const { port, seen } = await serve((_, response) => answerJson(response, 200, count));
    const error = await rejection(clientOf(`https://127.0.0.1:${port}`).logs.count("example.com"));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({ requestSent: false });
    expect(seen).toEqual([]);
  });

  test("reports a connection cut during the handshake as unreachable, with nothing sent", async () => {
    const { port } = await serveConnections((socket) => socket.once("data", () => socket.destroy()));
    const error = await rejection(clientOf(`https://127.0.0.1:${port}`).logs.count("example.com"));
    expect(error).toMatchObject({ code: "unreachable", requestSent: false });
  });

  test("reports a connection cut before the answer as unreachable, with the request possibly received", async () => {
    const { url, seen } = await serve((_, response) => response.socket?.destroy());
    const error = await rejection(clientOf(url).emails.send("example.com", { from: "shop", to: "ada@example.org" }));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({
      requestSent: true,
      method: "POST",
      path: "/domains/example.com/emails/outbound",
    });
    expect(seen).toHaveLength(1);
  });

  test("reports an answer cut in the middle as unreachable, with the request possibly received", async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write('{"total":', () => response.socket?.destroy());
    });
    expect(await rejection(clientOf(url).logs.count("example.com"))).toMatchObject({
      code: "unreachable",
      requestSent: true,
    });
  });

  test("reports an answer that is not HTTP as unreachable, with the request possibly received", async () => {
    const { url } = await serveConnections((socket) =>
      socket.once("data", () => socket.end("220 mail.example.test ESMTP\r\n")),
    );
    expect(await rejection(clientOf(url).logs.count("example.com"))).toMatchObject({
      code: "unreachable",
      requestSent: true,
    });
  });

  test("does not reuse a kept-alive connection that the server has closed", async () => {
    const sockets: Socket[] = [];
    const { url, seen } = await serve((_, response) => {
      if (response.socket !== null) sockets.push(response.socket);
      answerJson(response, 200, count);
    });
    const client = clientOf(url);
    await client.logs.count("example.com");
    sockets[0]?.destroy();
    expect(await client.logs.count("example.com")).toBe(3);
    expect(seen).toHaveLength(2);
    expect(sockets[1]).not.toBe(sockets[0]);
  });

  /** A client whose next request is sent at once: its connection exists, and everything it needs is loaded. */
  async function connected(answer: (response: ServerResponse) => void) {
    const { url, seen } = await serve((_, response) =>
      seen.length === 1 ? answerJson(response, 200, count) : answer(response),
    );
    const client = clientOf(url);
    await client.logs.count("example.com");
    return { client };
  }

  test("ends a call at its timeout, with the request possibly received", async () => {
    const { client } = await connected(() => undefined);
    const error = await rejection(client.logs.count("example.com", {}, { timeoutMs: 50 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ code: "timeout", requestSent: true, timeoutMs: 50 });
  });

  test("applies the timeout to an answer that trickles in", async () => {
    const { client } = await connected((response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(" "), 10);
      response.on("close", () => clearInterval(timer));
    });
    expect(await rejection(client.logs.count("example.com", {}, { timeoutMs: 100 }))).toMatchObject({
      code: "timeout",
      requestSent: true,
    });
  });

  test("sends nothing if the timeout ends before the connection exists", async () => {
    const { port } = await serveConnections(() => undefined);
    const error = await rejection(clientOf(`https://127.0.0.1:${port}`, { timeoutMs: 50 }).logs.count("example.com"));
    expect(error).toMatchObject({ code: "timeout", requestSent: false });
  });

  test("does not send a call whose signal has aborted", async () => {
    const { url, seen } = await serve((_, response) => answerJson(response, 200, count));
    const reason = new Error("enough");
    const error = await rejection(clientOf(url).logs.count("example.com", {}, { signal: AbortSignal.abort(reason) }));
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ code: "aborted", requestSent: false, cause: reason });
    expect(seen).toEqual([]);
  });

  test("ends a pending call and its connection when the signal aborts", async () => {
    const controller = new AbortController();
    const sockets: Socket[] = [];
    const { url } = await serve((_, response) => {
      if (response.socket !== null) sockets.push(response.socket);
      controller.abort();
    });
    expect(await rejection(clientOf(url).logs.count("example.com", {}, { signal: controller.signal }))).toMatchObject({
      code: "aborted",
      requestSent: true,
    });
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  });

  test("leaves no listeners on a signal that outlives its calls", async () => {
    const { signal } = new AbortController();
    const { url } = await serve((_, response) => {
      expect(getEventListeners(signal, "abort")).toHaveLength(1);
      answerJson(response, 200, count);
    });
    await clientOf(url).logs.count("example.com", {}, { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("cuts off an endless answer", async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(1024 * 1024, " ");
      const push = () => response.write(chunk, (error) => (error ? undefined : push()));
      push();
    });
    const error = await rejection(clientOf(url).logs.count("example.com"));
    expect(error).toMatchObject({ code: "contract", status: 200 });
    expect(String(error)).toContain("longer than 128 MB; request less");
  });

  test("lets calls in progress end on close, and fails later ones", async () => {
    const held: (() => void)[] = [];
    const { url } = await serve((_, response) => held.push(() => answerJson(response, 200, count)));
    const client = clientOf(url);
    const call = client.logs.count("example.com");
    await expect.poll(() => held.length).toBe(1);
    const closing = client.close();
    held[0]?.();
    expect(await call).toBe(3);
    await closing;
    expect(await rejection(client.logs.count("example.com"))).toMatchObject({
      code: "unreachable",
      requestSent: false,
    });
  });

  test("counts a call that has just begun as in progress", async () => {
    const { url } = await serve((_, response) => answerJson(response, 200, count));
    const client = clientOf(url);
    const call = client.logs.count("example.com");
    await client.close();
    expect(await call).toBe(3);
  });

  test("closes a client that was never used", async () => {
    await clientOf("http://127.0.0.1:9").close();
  });
});

test("never sends a call that waited for a connection of undici at its timeout", async () => {
  const held: (() => void)[] = [];
  const { url, seen } = await serve((_, response) => held.push(() => answerJson(response, 200, count)));
  const client = undiciClientOf(url, { pacing: false });
  const first = Array.from({ length: 64 }, () => client.logs.count("busy.example"));
  await expect.poll(() => held.length).toBe(64);
  expect(await rejection(client.logs.count("late.example", {}, { timeoutMs: 20 }))).toMatchObject({
    code: "timeout",
    requestSent: false,
  });
  for (const answer of held) answer();
  await Promise.all(first);
  const another = client.logs.count("another.example");
  await expect.poll(() => held.length).toBe(65);
  held.at(-1)?.();
  await another;
  expect(seen.filter(({ url: target }) => target.includes("late.example"))).toEqual([]);
});
