// A process that delivers parcels with the store that others have, too. Its output: a line of JSON for each.
import { createCourier } from "../../../dist/send/delivery/create-courier.js";
import { systemClock } from "../../../dist/send/clock.js";
import { createPace } from "../../../dist/send/pace/pace.js";
import { openMailStore } from "../../../dist/send/store/sqlite.js";

const { url, domain, file, parcels, logDelayMs } = JSON.parse(process.argv[2]);
const clock = systemClock;
const publish = ({ type, id }) =>
  type === "attempt" && process.stdout.write(`${JSON.stringify({ id, attempt: true })}\n`);
const store = await openMailStore(file, clock);
const sendsPerMinute = 100_000;
const pace = createPace({ account: "test", store: store.pace, sendsPerMinute, clock, publish });
const facts = { url, apiKey: "local", version: "v4", domain, sendsPerMinute, logDelayMs };
const courier = createCourier({ ...facts, ledger: store.ledger, pace, clock, publish });
const closing = new AbortController().signal;
await Promise.all(
  parcels.map(async (parcel) => {
    const result = await courier
      .deliver(parcel, { maxWait: 60_000, closing })
      .catch(({ code, message }) => ({ code, message }));
    process.stdout.write(`${JSON.stringify({ ...result, id: parcel.id })}\n`);
  }),
);
await courier.close();
await pace.close();
await store.close();
