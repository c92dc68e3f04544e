// @ts-check
// A bare server that accepts every message and responds in each client's format; sends.mjs and first-send.mjs run it in a
// separate process.
import { createServer } from "node:http";
import { accepted } from "../api/bodies.mjs";

const responses = {
  "/email": { ErrorCode: 0, Message: "OK", MessageID: accepted.message_id, SubmittedAt: "2026-08-12T09:30:00Z" },
  "/emails": { id: accepted.id },
};
const sent = JSON.stringify(accepted);
const forbidden = JSON.stringify({ message: "Forbidden.", errors: {} });

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    const { method, url = "" } = request;
    response.setHeader("content-type", "application/json");
    if (method !== "POST") return response.writeHead(403).end(forbidden);
    const [, own] = Object.entries(responses).find(([path]) => url === path || url.startsWith(`${path}/`)) ?? [];
    return response.end(own === undefined ? sent : JSON.stringify(own));
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" ? `http://127.0.0.1:${address?.port}` : "");
});
process.on("disconnect", () => process.exit());
