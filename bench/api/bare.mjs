// @ts-check
// A bare hono handler with the same responses as the service; api.mjs runs it in a separate process.
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { accepted, template } from "./bodies.mjs";

const app = new Hono();
app.get("/v4/domains/:domain/templates/:name", (c) => c.json({ template }));
app.post("/v4/domains/:domain/emails/outbound", async (c) => {
  await c.req.json();
  return c.json(accepted);
});
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => process.send?.(`http://127.0.0.1:${port}`));
process.on("disconnect", () => process.exit());
