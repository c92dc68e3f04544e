import { describe, expect, it } from "vitest";
import {
  clientsOf,
  DEFAULT_CLIENTS,
  nameClients,
  unknownPatterns,
  supportData,
} from "../../../src/check/client-support/data.js";

const all = Object.keys(supportData().clients);

describe("the data", () => {
  it("has a date, a source, a licence and one value for each client", () => {
    const { date, source, licence, features } = supportData();
    expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(source).toContain("caniemail.com");
    expect(licence).toContain("Rémi Parmentier");
    for (const { support, notes = {} } of Object.values(features)) {
      const words = support.split(" ");
      expect(words).toHaveLength(all.length);
      for (const word of words) expect(word).toMatch(/^[yanu](?:\d+(?:,\d+)*)?$/);
      for (const number of words.flatMap((word) => word.match(/\d+/g) ?? [])) expect(notes).toHaveProperty(number);
    }
  });
});

describe("client patterns", () => {
  it("default to the standard list of clients", () => {
    expect([...clientsOf([])].toSorted()).toEqual([...DEFAULT_CLIENTS].toSorted());
  });

  it("select clients by family, platform and wildcard", () => {
    expect(clientsOf(["apple-mail"])).toEqual(["apple-mail.macos", "apple-mail.ios"]);
    expect(clientsOf(["outlook.windows"])).toEqual(["outlook.windows"]);
    expect(clientsOf(["Samsung-Email.*"])).toEqual(["samsung-email.android"]);
    expect(clientsOf(["*.ios"]).every((client) => client.endsWith(".ios"))).toBe(true);
    expect(clientsOf(["*"])).toEqual(all);
  });

  it("are unknown if they match no client", () => {
    expect(unknownPatterns(["gmail", "gmial", "outlook.win", "*.ios"])).toEqual(["gmial", "outlook.win"]);
  });
});

describe("client names", () => {
  it("are those of families whose platforms are all included", () => {
    expect(nameClients(clientsOf(["gmail"]), all)).toBe("Gmail");
    expect(nameClients(clientsOf(["outlook"]), all)).toBe("Outlook");
    expect(nameClients(["gmail.ios", "outlook.outlook-com"], all)).toBe("Gmail (iOS), Outlook.com");
    expect(nameClients(["outlook.windows"], ["outlook.windows"])).toBe("Outlook (Windows)");
  });
});
