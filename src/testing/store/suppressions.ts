import { deepEqual, equal } from "node:assert/strict";
import type { Suppression, SuppressionStore } from "../../send/store/store.js";
import type { StoreCases } from "./index.js";

const bounce: Suppression = {
  email: "ada@example.com",
  reason: "hard-bounced (no such mailbox)",
  since: 1_800_000_000_000,
  event: "event-1",
};

/** The requirements for suppressed addresses. */
export const suppressionCases: StoreCases<SuppressionStore> = {
  "finds an address in any case, with reason and time": async (store) => {
    equal(await store.add({ ...bounce, email: "Ada@Example.com" }), true);
    deepEqual(await store.find(["ADA@example.com", "bob@example.com"]), [bounce]);
    deepEqual(await store.find([]), []);
  },
  "lists the latest first": async (store) => {
    const others = ["bob@example.com", "eve@example.com"].map((email, index) => ({
      ...bounce,
      email,
      event: `event-of-${email}`,
      since: bounce.since + 1000 * (2 - index),
    }));
    for (const suppression of [bounce, ...others]) await store.add(suppression);
    deepEqual(await store.list(), [...others, bounce]);
  },
  "keeps one entry per address, for its latest bounce": async (store) => {
    equal(await store.add(bounce), true);
    equal(await store.add(bounce), false);
    const later = { ...bounce, since: bounce.since + 1000, event: "event-2", reason: "hard-bounced" };
    equal(await store.add(later), false);
    equal(await store.add(bounce), false);
    deepEqual(await store.list(), [later]);
  },
  "removes an address once": async (store) => {
    await store.add(bounce);
    equal(await store.remove("ADA@example.com"), true);
    equal(await store.remove("ada@example.com"), false);
    equal(await store.remove("bob@example.com"), false);
    deepEqual(await store.find([bounce.email]), []);
    deepEqual(await store.list(), []);
  },
  "does not add a removed address for the same bounce, but for another one": async (store) => {
    await store.add(bounce);
    await store.remove(bounce.email);
    equal(await store.add(bounce), false);
    equal(await store.add({ ...bounce, since: bounce.since - 1000, event: "event-0" }), false);
    deepEqual(await store.list(), []);
    const inSameSecond = { ...bounce, event: "event-2" };
    equal(await store.add(inSameSecond), true);
    deepEqual(await store.list(), [inSameSecond]);
  },
  "lets a manual addition always count": async (store) => {
    await store.add(bounce);
    await store.remove(bounce.email);
    const { event: _, ...byHand } = { ...bounce, reason: "asked to", since: bounce.since - 1000 };
    equal(await store.add(byHand), true);
    deepEqual(await store.find([bounce.email]), [byHand]);
  },
};
