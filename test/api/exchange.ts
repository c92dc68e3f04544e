import { expect } from "vitest";
import { answerJson, serve } from "./servers.js";

/** The expected request of a call, and its answer. */
export interface Exchange {
  readonly asks: string;
  readonly body?: object;
  readonly status?: number;
  readonly answer?: unknown;
}

/** A service that expects one request, and answers it. For any other, it answers with what it received. */
export async function serveExchange({
  asks,
  body,
  status = 200,
  answer,
}: Exchange): Promise<{ url: string; check: () => void }> {
  const { url, seen } = await serve((_, response) => {
    if (answer === undefined) response.writeHead(status).end();
    else answerJson(response, status, answer);
  });
  return {
    url,
    check() {
      expect(seen.map((request) => `${request.method} ${request.url}`)).toEqual([asks]);
      expect(seen[0]?.body === "" ? undefined : JSON.parse(seen[0]?.body ?? "")).toEqual(body);
    },
  };
}

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const read: Item[] = [];
  for await (const item of items) read.push(item);
  return read;
}
