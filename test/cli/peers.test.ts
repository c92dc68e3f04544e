import { expect, test } from "vitest";
import { installCommand, neededPeers, runtimePeers } from "../../src/cli/scaffold/peers.js";

test.each([
  ["20.19.0", ["@photostructure/sqlite"]],
  ["22.12.0", ["@photostructure/sqlite"]],
  ["22.13.0", []],
  ["24.0.0", []],
])("an application on Node %s needs %j at run time", (version, names) => {
  expect([...runtimePeers(version).keys()]).toEqual(names);
  for (const range of runtimePeers(version).values()) expect(range).not.toBe("*");
});

test("packages that build templates are dev dependencies", () => {
  expect([...neededPeers(["mjml", "html"], []).keys()]).toEqual(["rolldown", "mjml"]);
  expect(installCommand(["mjml", "rolldown"])).toBe("npm install --save-dev mjml rolldown");
  expect(installCommand(["@photostructure/sqlite", "mjml"])).toBe(
    "npm install @photostructure/sqlite && npm install --save-dev mjml",
  );
});

test.each([
  [`import { Html } from "@react-email/components";`, true],
  [`import { Html } from '@react-email/components';`, true],
  [`import { Html } from "react-email";`, false],
])("React Email's components are needed if they are imported: %s", (source, isNeeded) => {
  expect(neededPeers(["react"], [source]).has("@react-email/components")).toBe(isNeeded);
});
