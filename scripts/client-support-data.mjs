// Updates the data about email clients from caniemail's published data; a maintainer runs it:
//   node scripts/client-support-data.mjs [data.json]
// Without a file it downloads https://www.caniemail.com/api/data.json. Only the latest version of each client is included.
import { readFile, writeFile } from "node:fs/promises";

const SOURCE = "https://www.caniemail.com/api/data.json";
const TARGET = new URL("../src/check/client-support/data.json", import.meta.url);
const LICENCE = `MIT License. Copyright (c) 2019 Rémi Parmentier. Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions: The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
/** The minimum share of features for which a client was tested. Below it, the data does not apply to most emails. */
const MIN_TESTED = 0.5;

const [file] = process.argv.slice(2);
const published = JSON.parse(file ? await readFile(file, "utf8") : await (await fetch(SOURCE)).text());
const { nicenames, data: features } = published;

/** A feature's `support` is one string with a status for each client, in the order of `clients`. */
const clients = testedClients();
const dataset = {
  source: SOURCE,
  date: published.last_update_date.slice(0, "2026-01-31".length),
  licence: LICENCE,
  clients: Object.fromEntries(clients.map((client) => [client, displayName(client)])),
  features: Object.fromEntries(features.map((feature) => [feature.slug, featureEntry(feature)])),
};
await writeFile(TARGET, `${JSON.stringify(dataset, null, 2)}\n`);
console.log(`${features.length} features in ${clients.length} clients, as of ${dataset.date}.`);

function testedClients() {
  const counts = new Map();
  for (const { stats } of features) {
    for (const [family, platforms] of Object.entries(stats)) {
      for (const platform of Object.keys(platforms)) {
        const client = `${family}.${platform}`;
        counts.set(client, (counts.get(client) ?? 0) + 1);
      }
    }
  }
  return [...counts].filter(([, count]) => count >= features.length * MIN_TESTED).map(([client]) => client);
}

function displayName(client) {
  const [family, platform] = client.split(".");
  if (platform === "outlook-com") return "Outlook.com";
  const platformName = nicenames.platform[platform]
    .replace("Desktop Webmail", "webmail")
    .replace("Mobile Webmail", "mobile webmail");
  return `${nicenames.family[family]} (${platformName})`;
}

function featureEntry({ title, stats, notes_by_num }) {
  const notes = notes_by_num ?? {};
  const statuses = clients.map((client) => {
    const [family, platform] = client.split(".");
    return latest(stats[family]?.[platform], notes);
  });
  const numbers = new Set(statuses.flatMap((status) => status.match(/\d+/g) ?? []));
  const used = Object.entries(notes).filter(([number]) => numbers.has(number));
  return {
    title: title.trim(),
    support: statuses.join(" "),
    ...(used.length > 0 && { notes: Object.fromEntries(used) }),
  };
}

/** `y`, `a1,2` (partial support, see the notes), `n`, or `u` for unknown. */
function latest(versions, notes) {
  if (versions === undefined) return "u";
  const last = Object.keys(versions).reduce((best, version) => (isLater(version, best) ? version : best));
  const [, support, numbers] = /^([yanu])(.*)$/.exec(versions[last]);
  return support + (numbers.match(/\d+/g) ?? []).filter((number) => number in notes).join(",");
}

/** Versions are numbers or months; if a client has both, the data lists the latest last. */
function isLater(version, other) {
  const [isMonth, isOtherMonth] = [version, other].map((each) => /^\d{4}-\d\d$/.test(each));
  if (isMonth !== isOtherMonth) return true;
  return isMonth ? version > other : version.localeCompare(other, "en", { numeric: true }) > 0;
}
