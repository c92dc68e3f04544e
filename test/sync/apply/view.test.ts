import { expect, test } from "vitest";
import { readRemote } from "../../../src/sync/remote.js";
import { RemoteView } from "../../../src/sync/apply/view.js";
import { content, local, machine, startLocalService } from "./machine.js";

test("does not allow a waiting write once a read for another one has shown that its template changed", async () => {
  const service = await startLocalService();
  const { client, sync } = await machine({ service });
  const { domain } = service;
  await sync([local("a"), local("b")]);
  const wanted = async () => new Set(["a", "b"]);
  const { templates } = await readRemote({ client, domain, wanted });
  const view = new RemoteView([...templates.values()], { client, domain, now: () => 0, writesPerLook: 2 });
  for (const name of ["a", "b"]) await view.read(name);
  expect([view.isOld("a"), view.isOld("b")]).toEqual([false, false]);

  service.clock.advance(5_000);
  await client.templates.update(domain, "b", content("by hand"));
  await view.list();
  expect([view.isOld("a"), view.isOld("b")]).toEqual([false, true]);
});
