import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { projectVariables, templateVariables } from "../../src/project/own-environment.js";
import { removeFolder } from "../remove-folder.js";

const production = { keyVariable: "TEMPLATES_LOGIN" };

test("project code can read variables that programs need, that begin with TEMPLATES_, and public ones", () => {
  const passed = {
    Path: "/bin",
    LC_TIME: "de_CH",
    NODE_ENV: "test",
    LETTERSHOP_URL: "https://api.example.com",
    TEMPLATES_BRAND: "Acme",
    NEXT_PUBLIC_BASE_URL: "https://acme.example",
    VITE_NAME: "Acme",
  };
  const withheld = {
    PGPASSWORD: "p",
    GH_PAT: "p",
    GITHUB_ENV: "env",
    GITHUB_OUTPUT: "output",
    GITHUB_STEP_SUMMARY: "summary",
    LETTERSHOP_API_KEY: "k1",
    ASSETS_URL: "https://cdn.example.com",
    NEXT_PUBLIC_MAP_KEY: "k2",
    NEXT_URL: "https://acme.example",
  };
  expect(projectVariables({}, { ...passed, ...withheld })).toEqual(passed);
});

test("secrets are never passed, whatever their name", () => {
  const env = {
    TEMPLATES_API_KEY: "k1",
    TEMPLATES_LOGIN: "k2",
    TEMPLATES_COPY: "k2",
    TEMPLATES_STORE: "redis://app:pw@cache",
    NODE_PATH: "k2",
  };
  expect(projectVariables({ production }, env)).toEqual({});
});

test("templates can read the project's variables in its .env file, but no keys, except in CI", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "env-file-"));
  onTestFinished(() => removeFolder(folder));
  const envFile = path.join(folder, ".env");
  const project = { environments: { production }, envFile };
  expect(templateVariables(project, { LANG: "en" })).toEqual({ LANG: "en" });
  writeFileSync(
    envFile,
    `TEMPLATES_BRAND="Acme & Co"\nTEMPLATES_TONE=dry\nTEMPLATES_LOGIN=k2\nTEMPLATES_COPY=k3\nTEMPLATES_API_KEY=k1
NEXT_PUBLIC_BASE_URL=https://acme.example\nNEXT_PUBLIC_MAP_KEY=k4\nLETTERSHOP_API_KEY=k3\nPGPASSWORD=p\nASSETS_URL=https://cdn.example.com\nNODE_OPTIONS=--inspect\nPATH=/evil\n`,
  );
  const env = { LANG: "en", PATH: "/bin", TEMPLATES_TONE: "warm" };
  expect(templateVariables(project, env)).toEqual({
    ...env,
    TEMPLATES_BRAND: "Acme & Co",
    NEXT_PUBLIC_BASE_URL: "https://acme.example",
  });
  expect(templateVariables(project, { ...env, CI: "true" })).toEqual({ ...env, CI: "true" });
  expect(() => templateVariables({ ...project, envFile: folder }, env)).toThrow("Can't read");
});
