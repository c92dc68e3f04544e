import { createCourier } from "../../../dist/send/delivery/courier.js";
import { systemClock } from "../../../dist/send/clock.js";
import { createPace } from "../../../dist/send/pace/pace.js";
import { openMailStore } from "../../../dist/send/store/sqlite.js";

/** Delivers parcels with a store that other processes share, and records each attempt and each result. */
export async function deliverAll({ url, domain, file, parcels, logDelayMs }, note) {
  const clock = systemClock;
  const publish = ({ type, id }) => type === "attempt" && note({ id, attempt: true });
  const store = await openMailStore(file, clock);
  const sendsPerMinute = 100_000;
  const pace = createPace({ account: "test", store: store.pace, sendsPerMinute, clock, publish });
  const facts = { url, apiKey: "local", version: "v4", domain, sendsPerMinute, timeoutMs: 30_000, logDelayMs };
  const courier = createCourier({ ...facts, ledger: store.ledger, pace, clock, publish });
  const closing = new AbortController().signal;
  await Promise.all(
    parcels.map(async (parcel) => {
      const result = await courier
        .deliver(parcel, { maxWait: 60_000, closing })
        .catch(({ code, message }) => ({ code, message }));
      note({ ...result, id: parcel.id });
    }),
  );
  await courier.close();
  await pace.close();
  await store.close();
}
