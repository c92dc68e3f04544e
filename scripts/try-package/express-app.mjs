import { setTimeout as sleep } from "node:timers/promises";
import { startServer, startService, templates } from "./app.mjs";

/** Posts each order to both of two processes, then stops them. Every receipt must have been sent once. */
export async function useExpressApp(app) {
  const service = await startService(app, "--no-limits");
  try {
    await templates(app, "sync", "--env", "local");
    const servers = [await startShop(app), await startShop(app)];
    const numbers = ["A-1", "A-2", "A-3", "A-4"];
    for (const [index, number] of [...numbers, ...numbers].entries()) {
      const order = { number, customerName: "Ada", items: [{ name: "Tea", quantity: 2, unitPrice: 450 }] };
      const status = await post(`${servers[index % 2].url}/orders`, { order, email: "ada@example.com" });
      if (status !== (index < numbers.length ? 201 : 200))
        throw new Error(`The response to order ${number} was ${status}.`);
    }
    const health = async () => (await fetch(`${servers[0].url}/health`)).json();
    for (let tries = 0; (await health()).queued > 0; tries += 1) {
      if (tries === 300) throw new Error(`Not all receipts were sent: ${JSON.stringify(await health())}`);
      await sleep(100);
    }
    for (const server of servers) await server.stop();
    const { logs } = JSON.parse((await templates(app, "logs", "--env", "local", "--json")).stdout);
    const subjects = logs.map(({ subject }) => subject).toSorted();
    const expected = numbers.map((number) => `Receipt for order ${number}`);
    if (JSON.stringify(subjects) !== JSON.stringify(expected)) throw new Error(`The log has ${subjects.join(", ")}.`);
  } finally {
    await service.stop();
  }
}

function startShop(app) {
  const variables = { LETTERSHOP_ENV: "local", PORT: "0" };
  return startServer(app, ["dist/main.js"], /^Listening at (\S+)$/, { variables });
}

async function post(url, body) {
  const headers = { "content-type": "application/json" };
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).status;
}
