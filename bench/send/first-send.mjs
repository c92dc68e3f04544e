// @ts-check
// A process that sends one mail: `node first-send.mjs CLIENT URL`.
const [name, url = ""] = process.argv.slice(2);
const { clients } = await import("./clients.mjs");
const [, connect] = Object.entries(clients).find(([known]) => known === name) ?? [];
const client = await connect?.(url);
await client?.send();
await client?.close();
process.exit();
