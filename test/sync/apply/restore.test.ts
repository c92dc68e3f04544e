import { describe, expect, it } from "vitest";
import { type Mishap, startGateway } from "./gateway.js";
import { content, inWords, local, machine, MARKER, startLocalService, versions } from "./machine.js";

/** A backup's content, as a template to apply. */
const backup = { ...local("receipt", content("Before")), backup: "receipt.json" };
const deployed = [local("receipt", content("Deployed"))];

describe.each(versions)("a backup restored with version %s", (version) => {
  it.each([
    ["a marker and a lock", MARKER, true],
    ["a marker", MARKER, false],
    ["a lock", undefined, true],
  ])("is an edit to later runs with %s, even if the service stores something else", async (_, markerText, hasLock) => {
    const service = await startLocalService();
    const gateway = await startGateway(service);
    gateway.alter = (text) => text.replaceAll("<p>", "<p >");
    const at = { ...service, url: gateway.url };
    const { sync, plan } = await machine({ service: at, version, markerText, hasLock });
    await sync([local("receipt", content("Before"))]);
    await sync(deployed, { overwriteDrift: true });

    const { outcomes } = await sync([backup]);
    expect(inWords(outcomes)).toEqual(["applied update receipt"]);
    expect((await plan([backup])).plan).toMatchObject({ steps: [], held: [{ kind: "drifted" }] });
    const later = [deployed, [local("receipt", content("Later"))]];
    for (const here of later) expect((await plan(here)).plan).toMatchObject({ steps: [], held: [{ name: "receipt" }] });
    const elsewhere = await machine({ service: at, version, markerText, hasLock: false });
    for (const here of later) expect((await elsewhere.plan(here)).plan).toMatchObject({ steps: [], held: [{}] });
  });

  it.each<Mishap>(["cut", "cut after", "500 after", "malformed after"])(
    "is looked up by its content if an answer is lost: %s",
    async (mishap) => {
      const service = await startLocalService();
      const gateway = await startGateway(service);
      const { sync, plan, client } = await machine({ service: { ...service, url: gateway.url }, version });
      await sync([local("receipt", content("Before"))]);
      await sync(deployed);
      const { outcomes } = await sync([backup], {}, {}, (run) => ({
        ...run,
        async begin(operation) {
          await run.begin(operation);
          gateway.mishaps = [mishap];
        },
      }));
      expect(inWords(outcomes)).toEqual(["applied update receipt"]);
      expect(await client.templates.get(service.domain, "receipt")).toMatchObject({ subject: "Before" });
      expect((await plan(deployed)).plan).toMatchObject({ steps: [], held: [{ kind: "drifted" }] });
    },
  );
});
