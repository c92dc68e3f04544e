import { ok } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { MailStore } from "../../send/store/store.js";
import { ledgerCases } from "./ledger.js";
import { outboxCases } from "./outbox.js";
import { paceCases } from "./pace.js";
import { StoreProcess } from "./process.js";
import { handleCases, processCases } from "./shared.js";
import { suppressionCases } from "./suppressions.js";

/**
 * The requirements for a `MailStore`, for any test framework: of each part, of several handles of one store and, with
 * `module`, of several processes, some of which are killed or have a clock that is an hour ahead.
 *
 * @example
 * // my-store.js: export default (name) => openMyStore({ schema: name });
 * import openStore from "./my-store.js";
 *
 * const module = import.meta.resolve("./my-store.js");
 * for (const { name, run } of testMailStore({ open: openStore, module })) test(name, run);
 */
export function testMailStore({ open, module }: StoreUnderTest): readonly StoreCase[] {
  return [
    ...casesOf("pace", ({ pace }) => pace, paceCases, open),
    ...casesOf("ledger", ({ ledger }) => ledger, ledgerCases, open),
    ...casesOf("suppressions", ({ suppressions }) => suppressions, suppressionCases, open),
    ...casesOf("outbox", ({ outbox }) => outbox, outboxCases, open),
    ...casesOfMany("handles", handleCases, async (name) => open(name)),
    ...(module === undefined
      ? []
      : casesOfMany("processes", processCases, async (name, aheadMs = 0) =>
          StoreProcess.start({ module: String(module), name, aheadMs }),
        )),
  ];
}

export interface StoreUnderTest {
  /**
   * Opens a store, which is empty at first. Handles with the same name belong to one store. Names are unique: up to 40
   * characters from `a` to `z`, `0` to `9` and `_`.
   */
  readonly open: (name: string) => Promise<MailStore>;
  /** The URL of a JavaScript module whose default export is `open`. Processes load it. Absent for a store in memory. */
  readonly module?: string | URL;
}

/** One requirement for a mail store. */
export interface StoreCase {
  /** The requirement, as a sentence. */
  readonly name: string;
  /** @throws {AssertionError} The store does not meet it. */
  readonly run: () => Promise<void>;
}

/** The requirements for a part of a store, each with its check. */
export type StoreCases<Part> = Readonly<Record<string, (part: Part) => Promise<void>>>;

/** Requirements for what is opened several times: `open` opens the same store each time. */
export type CasesOfMany<Opened, Options extends unknown[] = []> = Readonly<
  Record<string, (open: (...options: Options) => Promise<Opened>) => Promise<void>>
>;

function casesOf<Part>(
  name: string,
  partOf: (store: MailStore) => Part | undefined,
  cases: StoreCases<Part>,
  open: StoreUnderTest["open"],
): StoreCase[] {
  return Object.entries(cases).map(([requirement, run]) => ({
    name: `${name}: ${requirement}`,
    async run() {
      const store = await open(newName());
      try {
        const part = partOf(store);
        ok(part, `the store has no ${name}`);
        await run(part);
      } finally {
        await store.close();
      }
    },
  }));
}

function casesOfMany<Opened extends { close(): Promise<void> }, Options extends unknown[]>(
  kind: string,
  cases: CasesOfMany<Opened, Options>,
  openNamed: (name: string, ...options: Options) => Promise<Opened>,
): StoreCase[] {
  return Object.entries(cases).map(([requirement, run]) => ({
    name: `${kind}: ${requirement}`,
    async run() {
      const name = newName();
      const opened: Opened[] = [];
      try {
        await run(async (...options) => {
          const one = await openNamed(name, ...options);
          opened.push(one);
          return one;
        });
      } finally {
        await Promise.all(opened.map((each) => each.close()));
      }
    },
  }));
}

function newName(): string {
  return `store_${randomUUID().replaceAll("-", "")}`;
}
