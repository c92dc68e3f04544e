import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { expect, onTestFinished } from "vitest";
import { z } from "zod";
import { logEntrySchema, logEventSchema } from "../../src/api/contract/v3/logs.js";

const bodySchema = z.strictObject({ domain: z.string(), event: logEventSchema, log: logEntrySchema });
type Body = z.output<typeof bodySchema>;

/** A server that receives webhook posts and responds with what `answer` returns. */
export async function receiver(answer: (count: number) => number | "never" = () => 204) {
  const got: Body[] = [];
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    expect(request.method).toBe("POST");
    expect(request.headers["content-type"]).toBe("application/json");
    got.push(bodySchema.parse(JSON.parse(Buffer.concat(chunks).toString("utf8"))));
    const status = answer(got.length);
    if (status !== "never") response.writeHead(status, { location: "/elsewhere" }).end();
  }
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { got, url: `http://127.0.0.1:${port}/events?key=a%20b`, close };
}
