// A worker of the shop: it sends what the servers have queued. All workers share the rate limit.
import { postgresStore } from "lettershop/postgres";
import { createMailer, onSendEvent } from "lettershop/send";

const store = postgresStore({ connectionString: process.env.DATABASE_URL });
// If a worker is killed, another one takes over its messages soon after the lease. The default is 15 s.
const mailer = createMailer({ from: "shop", store, outbox: { lease: "5s" } });

const texts = {
  attempt: "sends",
  reconciled: "found in the service's log, so it is not sent again:",
  parked: "does not know whether it was sent:",
  rejected: "was refused:",
};

// Events contain nothing personal. `templates outbox show` shows the message of an id.
onSendEvent((event) => {
  if (event.type in texts) console.log(`${texts[event.type]} ${event.id}`);
  if (event.type === "held") console.log("exceeded the rate limit: the service answered 429");
});

mailer.work();
console.log("waits for messages");

async function stop() {
  await mailer.close();
  await store.close();
}

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void stop());
