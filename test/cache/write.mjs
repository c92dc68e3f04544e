import { openCache } from "../../dist/cache/cache.js";

const [folder, digit] = process.argv.slice(2);
const cache = openCache({ folder, environment: {}, version: "1" });
for (let round = 0; round < 60; round += 1) {
  cache.write({ name: "receipt", key: { text: "Hi" } }, { files: [] }, digit.repeat(50_000));
}
