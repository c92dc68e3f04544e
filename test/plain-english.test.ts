import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Phrases that readers stumble over, and what to write instead. A short list, not a spell checker. */
const PHRASES: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/(?<!there )\bis no (?!longer|more\b|doubt|way\b|need\b)/i, 'negate the verb: "is not a …"'],
  [/\bmend(?:s|ed|ing)?\b(?!")|\bput right\b/i, '"fix"'],
  [/\banew\b/i, '"again", or a verb with "re-"'],
  [/\bbeside\b/i, '"next to" for a place, "compared with" for a comparison'],
  [/\bstands? (?:on|there|beside|twice|nowhere|where)\b|\bstands? in (?!for\b)/i, '"is in", "is on", "appears twice"'],
  [/\b(?:an?|the|several) pictures?\b/i, '"image", or "screenshot"'],
  [/\b(?:is|are|was|were) another one\b/i, '"differs" or "has changed"'],
  [/\b(?:is|are|was|were) told\b/i, '"is reported"'],
  [/\btaken? away\b/i, '"removed", or "stripped" by an email client'],
  [/\b(?:hand|handed|hands) on\b/i, '"pass"'],
  [/(?:^|[.!?] )(?:So (?:many|long|much)|Whom|That which|Of (?:which|whom|these|those)) /, "put the subject first"],
  [/, for (?:it|they|there|none|nobody) /i, '"because"'],
];

const files = execFileSync("git", ["ls-files", "*.md", "src", "preview", "scripts", "test"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => /\.(?:md|tsx?|mjs|css)$/.test(file) && file !== "test/plain-english.test.ts")
  // Git lists a deleted file until the deletion is staged.
  .filter((file) => existsSync(`${root}/${file}`));

/** Of a test, its titles: what its other strings say may be a user's. */
function proseOf(file: string): readonly string[] {
  const lines = readFileSync(`${root}/${file}`, "utf8").split("\n");
  if (!file.startsWith("test/")) return lines;
  return lines.map((line) => /^\s*(?:describe|test|it)(?:\.\w+)*\(\s*(["'`].*)/.exec(line)?.[1] ?? "");
}

test("messages, docs, comments and test titles avoid phrases that readers stumble over", () => {
  const hits = files.flatMap((file) =>
    proseOf(file).flatMap((line, index) =>
      PHRASES.flatMap(([phrase, instead]) => {
        const found = phrase.exec(line)?.[0];
        return found === undefined ? [] : [`${file}:${index + 1}: "${found.trim()}": write ${instead}`];
      }),
    ),
  );
  expect(hits).toEqual([]);
});
