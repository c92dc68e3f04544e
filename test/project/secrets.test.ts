import { expect, test } from "vitest";
import { secretNames, withoutSecrets } from "../../src/project/own-environment.js";

const env = {
  LETTERSHOP_API_KEY: "k1",
  LETTERSHOP_URL: "https://api.example.com",
  MAILER_PRODUCTION: "k2",
  COPY: "k2",
  NPM_TOKEN: "t",
  aws_secret_access_key: "s",
  DATABASE_URL: "postgres://app:pw@db/app",
  PGPASSWORD: "pw2",
  LETTERSHOP_STORE: "postgres:///app?host=/run/postgresql&password=pw",
  KEYBOARD: "us",
  MONKEY: "see",
  ASSETS_URL: "https://cdn.example.com:8443/a@b",
  EMPTY: "",
};
const named = { production: { keyVariable: "MAILER_PRODUCTION" }, unset: { keyVariable: "UNSET" } };

test("secrets are keys, their copies, and variables whose name or value looks like a secret", () => {
  expect(secretNames(named, env).sort()).toEqual(
    [
      "COPY",
      "DATABASE_URL",
      "LETTERSHOP_API_KEY",
      "LETTERSHOP_STORE",
      "MAILER_PRODUCTION",
      "NPM_TOKEN",
      "PGPASSWORD",
      "aws_secret_access_key",
    ].sort(),
  );
});

test("user code can't read secrets", () => {
  const { LETTERSHOP_URL, KEYBOARD, MONKEY, ASSETS_URL, EMPTY } = env;
  expect(withoutSecrets(named, env)).toEqual({ LETTERSHOP_URL, KEYBOARD, MONKEY, ASSETS_URL, EMPTY });
});
