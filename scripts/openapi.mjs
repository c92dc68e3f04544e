// @ts-check
/*
 * Writes docs/openapi/v4.json and v3.json: the documents that the local service serves, so that they are available without it.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { openApiDocument } from "../dist/service/openapi/document.js";

const folder = new URL("../docs/openapi/", import.meta.url);
mkdirSync(folder, { recursive: true });
for (const version of /** @type {const} */ (["v4", "v3"])) {
  writeFileSync(new URL(`${version}.json`, folder), `${JSON.stringify(openApiDocument(version), null, 2)}\n`);
}
