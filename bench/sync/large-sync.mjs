// @ts-check
// Syncs large templates once; machine.mjs runs it in a separate process. Arguments: URL, edition, folder for the journals.
import { createClient } from "../../dist/api/index.js";
import { LOCAL_API_KEY, LOCAL_DOMAIN } from "../../dist/api/local.js";
import { observeService } from "../../dist/sync/index.js";
import { createSyncer } from "./syncer.mjs";

const [baseUrl = "", edition = "", folder = ""] = process.argv.slice(2);

const line = (/** @type {number} */ number) =>
  `<tr><td style="padding: 8px">${number}, edition ${edition}</td><td>{{order.number}}</td></tr>\n`;
const rows = Array.from({ length: 760 }, (_, index) => line(index)).join("");
/** @type {import("../../dist/sync/index.js").LocalTemplate["contract"]} */
const contract = {
  input: { type: "object", properties: { order: { type: "object", properties: { number: { type: "string" } } } } },
  conditions: [],
};
const local = Array.from({ length: 200 }, (_, index) => {
  const name = `template-${index + 1}`;
  const content = {
    subject: `Order {{{order.number}}}, ${name}`,
    description: `About ${name}`,
    html_body: `<table>${rows}</table>`,
    text_body: "{{{order.number}}}\n".repeat(100),
  };
  return { name, template: name, content, contract, sources: [] };
});

const observer = observeService();
const client = createClient({ apiKey: LOCAL_API_KEY, baseUrl, version: "v4", retries: 0, ...observer.hooks });
await createSyncer({ client, domain: LOCAL_DOMAIN, folder, observer }).sync(local);
await client.close();
