// @ts-check
// A bare server that accepts every mail, in the words of each client; run by sends.mjs and first-send.mjs in a process of its own.
import { createServer } from "node:http";
import { accepted } from "../api/bodies.mjs";

const answers = {
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
    const [, own] = Object.entries(answers).find(([path]) => url === path || url.startsWith(`${path}/`)) ?? [];
    return response.end(own === undefined ? sent : JSON.stringify(own));
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" ? `http://127.0.0.1:${address?.port}` : "");
});
process.on("disconnect", () => process.exit());
