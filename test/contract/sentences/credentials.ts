import { expect } from "vitest";
import { sentence } from "../sentence.js";

const create = "POST /domains/:domain/credentials";
const one = "/domains/:domain/credentials/:username";
const password = "correct horse";

sentence(
  'v4 part 4, SMTP credentials: "GET | /domains/:domain/credentials"',
  ["v4 credentials.list {path *,answer *,200}", "v3 credentials.list {path *,answer *,200}"],
  async ({ v3, v4 }) => {
    const { credential } = await v4(create, { body: { username: "hello", password } });
    expect(await v4("GET /domains/:domain/credentials")).toMatchObject({ credentials: [credential], total: 1 });
    const older = await v3("GET /domains/:domain/credentials");
    expect(older).toEqual({
      credentials: [{ username: "hello", usage: 0, created: expect.any(Number) }],
      success: true,
    });
    expect(Math.floor(older.credentials[0].created / 1_000) * 1_000).toBe(Date.parse(credential.created_at));
  },
);

sentence(
  'v4 part 4, SMTP credentials: "body: `username` (required, local part of the mailbox), `password` (required)", "requires_new_mx_check is true for the first credential"',
  ["{v3,v4} credentials.create {path *,body *,answer *,200,400 field}"],
  async ({ both }) => {
    for (const api of both) {
      const first = await api(create, { body: { username: "hello", password } });
      expect(first).toMatchObject({ credential: { username: "hello", usage: 0 }, requires_new_mx_check: true });
      expect(JSON.stringify(first)).not.toContain(password);
      const second = await api(create, { body: { username: "second", password } });
      expect(second.requires_new_mx_check).toBe(false);
      expect((await api.refused(400, create, { body: { password } })).errors).toHaveProperty("username");
      expect((await api.refused(400, create, { body: { username: "third" } })).errors).toHaveProperty("password");
      await api.refused(400, create, { body: { username: "two words", password } });
      for (const username of ["hello", "second"]) await api(`DELETE ${one}`, { username });
    }
  },
);

sentence(
  'v4 part 4, SMTP credentials: "PUT | /domains/:domain/credentials/:username | body: `password` | `{credential}`"',
  ["{v3,v4} credentials.update {path *,body *,answer *,200,400 field,404 credential}"],
  async ({ both }) => {
    await both[0](create, { body: { username: "hello", password } });
    for (const api of both) {
      const changed = await api(`PUT ${one}`, { username: "hello", body: { password: `${password} again` } });
      expect(changed.credential.username).toBe("hello");
      await api.refused(400, `PUT ${one}`, { username: "hello", body: {} });
      await api.refused(404, `PUT ${one}`, { username: "nobody", body: { password } });
    }
  },
);

sentence(
  'v4 part 4, SMTP credentials: "DELETE | /domains/:domain/credentials/:username | none | 204"',
  ["v4 credentials.delete {path *,204,404 credential}", "v3 credentials.delete {path *,answer *,200,404 credential}"],
  async ({ both }) => {
    for (const api of both) {
      await api(create, { body: { username: "hello", password } });
      await api(`DELETE ${one}`, { username: "hello" });
      await api.refused(404, `DELETE ${one}`, { username: "hello" });
    }
  },
);
