import { expect, test } from "vitest";
import { listedNames } from "../../src/process/splitting.js";

test.each<[string, readonly string[]]>([
  [`const a = 1, b = 2;\nexport { a, b as c };\n`, ["a", "c"]],
  [`const a = 1;\nexport { a };\n//# sourceMappingURL=index.mjs.map`, ["a"]],
  [`const $a = 1, _b = 2;\nexport {\n  $a,\n  _b,\n}\n`, ["$a", "_b"]],
  [`const words = /\\b(?:enum|export|extends)\\b/, a = 1;\nexport { a };`, ["a"]],
])("names in an export list at the end are known: %s", (code, names) => {
  expect(listedNames(code)).toEqual(names);
});

test.each([
  `export const a = 1;\nconst b = 2;\nexport { b };`,
  `const b = 2;\nexport*from"./a.js";\nexport { b };`,
  `const b = 2;\nexport/**/{ b };\nexport { b };`,
  `export { a } from "./a.js";`,
  `const b = 2;\nexport { b };\nb();`,
  `const b = 2;\nexport { b as "a b" };`,
  `const b = 2;\nexport { b as default };`,
  `const b = 2;\nexport { b as \\u0061 };`,
  `/*\nexport { a };\n// */`,
  "const b = `\nexport { a };\n// `;",
  `// export { a };`,
  `const a = 1;`,
])("a module with other forms of exports is parsed: %s", (code) => {
  expect(listedNames(code)).toBeUndefined();
});
