import { expect } from "vitest";
import { sentence } from "../sentence.js";

const forward = "ada@example.com";
const absent = "987654321";
const batch = "/domains/:domain/aliases/batch";

sentence(
  'v4 part 4, Aliases: "`aliases` (required, up to 500 objects with `alias` and `forward`); paid plan required"',
  ["{v3,v4} aliases.createMany {path *,body *,answer *,200,207,400 field,400 batchSize}"],
  async ({ both }) => {
    for (const api of both) {
      const aliases = (count: number) =>
        Array.from({ length: count }, (_, number) => ({ alias: `${api.version}-${number}`, forward }));
      expect(await api(`POST ${batch}`, { body: { aliases: aliases(500) } })).toMatchObject({
        added_count: 500,
        failed: [],
        failed_count: 0,
      });
      await api.refused(400, `POST ${batch}`, { body: { aliases: aliases(501) } });
      expect((await api.refused(400, `POST ${batch}`, { body: {} })).errors).toHaveProperty("aliases");
      // "Each failed entry is exactly `{index (0-based position in the sent array), message, errors}`"
      const some = [
        { alias: `${api.version}-0`, forward },
        { alias: `${api.version}-new`, forward },
        { alias: "x", forward: "nobody" },
      ];
      const answer = await api(`POST ${batch}`, { status: 207, body: { aliases: some } });
      expect(answer).toMatchObject({ added: [some[1]], added_count: 1, failed_count: 2 });
      expect(answer.failed.map(({ index }: { index: number }) => index)).toEqual([0, 2]);
      for (const failed of answer.failed)
        expect(Object.keys(failed).toSorted()).toEqual(["errors", "index", "message"]);
      expect(answer.added[0].id).toEqual(expect.any(String));
    }
  },
);

sentence(
  'v4 part 4, Aliases: "up to 500 objects, each with string `id` and fields to update such as `forward`"',
  ["{v3,v4} aliases.updateMany {path *,body *,answer *,200,207,400 field,400 batchSize}"],
  async ({ both }) => {
    for (const api of both) {
      const aliases = Array.from({ length: 500 }, (_, number) => ({ alias: `${api.version}-${number}`, forward }));
      const { added } = await api(`POST ${batch}`, { body: { aliases } });
      const ids = added.map(({ id }: { id: string }) => id);
      const updates = ids.map((id: string) => ({ id, forward: "bob@example.com" }));
      expect((await api(`PUT ${batch}`, { body: { aliases: updates } })).updated_count).toBe(500);
      await api.refused(400, `PUT ${batch}`, { body: { aliases: [...updates, { id: absent, forward }] } });
      await api.refused(400, `PUT ${batch}`, { body: { aliases: "all" } });
      const renamed = { id: ids[0], alias: `${api.version}-renamed` };
      const answer = await api(`PUT ${batch}`, { status: 207, body: { aliases: [{ id: absent, forward }, renamed] } });
      expect(answer).toMatchObject({ updated: [renamed], updated_count: 1, failed: [{ index: 0 }], failed_count: 1 });
    }
  },
);

sentence(
  'v4 part 4, Aliases: "body: `ids` (required, up to 500 alias id strings)"',
  ["{v3,v4} aliases.deleteMany {path *,body *,answer *,200,207,400 field,400 batchSize}"],
  async ({ both }) => {
    for (const api of both) {
      const aliases = Array.from({ length: 500 }, (_, number) => ({ alias: `${api.version}-${number}`, forward }));
      const { added } = await api(`POST ${batch}`, { body: { aliases } });
      const ids = added.map(({ id }: { id: string }) => id);
      await api.refused(400, `DELETE ${batch}`, { body: { ids: [...ids, absent] } });
      expect((await api.refused(400, `DELETE ${batch}`, { body: {} })).errors).toHaveProperty("ids");
      expect(await api(`DELETE ${batch}`, { body: { ids } })).toMatchObject({
        deleted: ids,
        deleted_count: 500,
        failed_count: 0,
      });
      const answer = await api(`DELETE ${batch}`, { status: 207, body: { ids: [absent] } });
      expect(answer).toMatchObject({ deleted: [], deleted_count: 0, failed: [{ index: 0 }], failed_count: 1 });
    }
  },
);
