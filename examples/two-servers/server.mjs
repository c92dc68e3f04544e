// A server of the shop: it takes orders, and queues each receipt in the transaction that stores the order.
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { postgresStore } from "lettershop/postgres";
import { createMailer } from "lettershop/send";
import { Pool } from "pg";

const pool = new Pool({ connectionString: process.env.DATABASE_URL });
const report = (error) => console.error(error.message);
pool.on("error", report).on("connect", (client) => client.on("error", report));
const store = postgresStore({ pool });
const mailer = createMailer({ from: "shop", store });

/** Returns whether the order is new. A client that got no response posts it again, perhaps to the other server. */
async function takeOrder({ number, email }) {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const insert = "INSERT INTO orders (number, email) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    const isNew = (await client.query(insert, [number, email])).rowCount === 1;
    if (isNew)
      await mailer.queueMessage({
        to: email,
        subject: `Receipt for order ${number}`,
        text: `Thank you for your order ${number}.`,
        key: `receipt-${number}`,
        transaction: client,
      });
    await client.query("COMMIT");
    client.release();
    return isNew;
  } catch (error) {
    // Closing the connection rolls the transaction back, even if the database cannot be reached.
    client.release(error);
    throw error;
  }
}

async function answer(request, response) {
  try {
    const order = await json(request);
    const isNew = await takeOrder(order);
    console.log(isNew ? `took order ${order.number}` : `already has order ${order.number}`);
    response.writeHead(isNew ? 201 : 200).end();
  } catch (error) {
    console.error(error.message);
    response.writeHead(500).end();
  }
}

const server = createServer((request, response) => void answer(request, response));
server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => {
  console.log(`listens at http://127.0.0.1:${server.address().port}`);
});

async function stop() {
  await mailer.close();
  await store.close();
  await pool.end();
}

for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => {
    server.close(() => void stop());
    server.closeIdleConnections();
  });
