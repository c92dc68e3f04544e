import { setTimeout as sleep } from "node:timers/promises";
import { print } from "./processes.mjs";
import { findProblems, inLastMinute, LIMIT, mostInAMinute } from "./proof.mjs";

/** Posts orders while a worker and a server are killed. Returns the problems that it finds at the end. */
export async function runScenario({ service, processes, database, mailer, count }) {
  const [first, second, ...others] = Array.from({ length: count }, (_, index) => `A-${index + 1}`);
  const servers = await Promise.all(["server 1", "server 2"].map((name) => processes.start(name, "server.mjs")));
  const workers = await Promise.all(["worker 1", "worker 2"].map((name) => processes.start(name, "worker.mjs")));
  void printEmails(service);

  // The service takes four seconds for the first request, during which the worker that made it is killed.
  service.faults.add({ kind: "delay", endpoint: "emails.send", milliseconds: 4_000 });
  await post(servers[0], first);
  await until(() => service.faults.list().length === 0 && workers.some(isSending));
  const sender = workers.findIndex(isSending);
  await processes.end(workers[sender], "SIGKILL");

  // The server is killed once its commit is visible. Without a response, its client repeats the order at the other one.
  const posting = post(servers[0], second).catch(() => undefined);
  await until(async () => (await ordersIn(database)).includes(second));
  await processes.end(servers[0], "SIGKILL");
  await posting;
  await post(servers[1], second);

  servers[0] = await processes.start("server 1", "server.mjs");
  workers[sender] = await processes.start(workers[sender].name, "worker.mjs");
  await Promise.all(others.map((number, index) => post(servers[index % 2], number)));
  await waitForOutbox(mailer);
  await processes.endAll("SIGTERM");

  const orders = await ordersIn(database);
  const emails = logOf(service);
  print("result", `${orders.length} orders, ${emails.length} receipts, at most ${mostInAMinute(emails)} in any 60 s`);
  const { counts } = await mailer.outbox.stats();
  return findProblems({ orders, emails, counts, output: processes.output });
}

/** Prints the emails as they arrive. */
async function printEmails(service) {
  let printed = 0;
  do {
    const emails = logOf(service);
    for (; printed < emails.length; printed += 1) {
      const inMinute = inLastMinute(emails.slice(0, printed + 1));
      print("service", `got "${emails[printed].subject}", ${inMinute} of ${LIMIT} in the last 60 s`);
    }
  } while (await service.mail.next(new AbortController().signal));
}

/** All emails that the service has accepted, oldest first. */
function logOf({ mail }) {
  const emails = [];
  for (let page = mail.after(0); page.length > 0; page = mail.after(page.at(-1).seq)) emails.push(...page);
  return emails;
}

function isSending({ output }) {
  return output.includes("sends");
}

async function post({ name, firstLine }, number) {
  const [url] = firstLine.match(/http:\S+/);
  const body = JSON.stringify({ number, email: `customer-${number}@example.com` });
  const response = await fetch(`${url}/orders`, { method: "POST", body });
  if (!response.ok) throw new Error(`${name} answered order ${number} with ${response.status}.`);
}

async function ordersIn(database) {
  return (await database.query("SELECT number FROM orders")).rows.map(({ number }) => number);
}

/** Waits until all messages are decided, and prints every ten seconds how many are not. */
async function waitForOutbox(mailer) {
  for (let polls = 0; ; polls += 1) {
    const { queued, sending } = (await mailer.outbox.stats()).counts;
    if (queued + sending === 0) return;
    if (polls % 100 === 0) print("outbox", `${queued} receipts wait for their turn, ${sending} are being sent`);
    await sleep(100);
  }
}

async function until(condition) {
  while (!(await condition())) await sleep(20);
}
