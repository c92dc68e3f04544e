// Writes what is generated from the rules in src/check/rules: with "index" the list of them, src/check/rules/index.ts, and with
// "pages" the page of each diagnostic in docs/rules, from the built rules.
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const rules = path.join(root, "src/check/rules");
const pages = path.join(root, "docs/rules");

if (process.argv[2] === "index") writeFileSync(path.join(rules, "index.ts"), index());
else await writePages();

function index() {
  const groups = readdirSync(rules, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ group: name, ids: idsIn(name) }))
    .toSorted((a, b) => (a.group < b.group ? -1 : 1));
  const imports = groups.flatMap(({ group, ids }) =>
    ids.map((id) => `import { ${exportOf(id)} } from "./${group}/${id}.js";`),
  );
  const lists = groups.map(
    ({ group, ids }) => `  "${group}": [\n${ids.map((id) => `    ${exportOf(id)},\n`).join("")}  ],`,
  );
  return `// Generated from the files in this folder. After adding a rule, run: npm run rules
import type { BuiltInRule } from "../rule.js";
${imports.join("\n")}

/** The rules by group. The configuration names a rule with its group: \`links/empty-link\`. */
export const RULES_BY_GROUP: Readonly<Record<string, readonly BuiltInRule[]>> = {
${lists.join("\n")}
};
`;
}

function idsIn(group) {
  return readdirSync(path.join(rules, group))
    .map((name) => path.basename(name, ".ts"))
    .toSorted();
}

/** `empty-link` exports `emptyLink`. */
function exportOf(id) {
  return id.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());
}

async function writePages() {
  const { catalogue, RULES, rulePage } = await import("../dist/check/catalogue.js");
  const ids = catalogue(RULES).map(({ id }) => id);
  for (const id of ids) writeFileSync(path.join(pages, `${id}.md`), rulePage(id));
  for (const name of readdirSync(pages)) if (!ids.includes(path.basename(name, ".md"))) rmSync(path.join(pages, name));
}
