import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/service/store/database.js";
import { loadDriver } from "../../src/sqlite/driver.js";
import { migrations } from "../../src/service/store/migrations.js";
import { temporaryFolder } from "./harness.js";

const start = Date.parse("2026-11-20T10:00:00Z");

test("entries of a database of the first version get their statuses, and their emails are deleted with them", async () => {
  const data = await temporaryFolder();
  const file = join(data, "service.db");
  const database = (await loadDriver("the local service"))(file);
  database.exec(`
    ${migrations[0]} PRAGMA user_version = 1;
    INSERT INTO accounts VALUES (1, x'00', 1, '{"email_log_retention_days": 30}');
    INSERT INTO domains (id, account_id, name, forwarding_ready, send_ready, banned, notify_when_spam_blocked, strict_mxes,
      created_at, updated_at) VALUES (1, 1, 'old.test', 1, 1, 0, 0, 0, ${start}, ${start});
    INSERT INTO mails VALUES (1, x'00'), (2, x'00');
    INSERT INTO log_entries (seq, id, domain_id, mail_seq, created_at, hostname, message_id, subject, transport, sender_email,
      sender_key, recipient_email, recipient_key) VALUES
      (1, '1.a', 1, 1, ${start}, 'h', 'm', 'First', 'api', 'a@old.test', 'a@old.test', 'b@example.com', 'b@example.com'),
      (2, '1.b', 1, 2, ${start}, 'h', 'm', 'Second', 'api', 'a@old.test', 'a@old.test', 'b@example.com', 'b@example.com');
    INSERT INTO log_events (id, entry_seq, created_at, code, local, message, server, status) VALUES
      ('e1', 1, 0, 250, '', '', '', 'QUEUED'), ('e2', 1, 0, 250, '', '', '', 'REFUSED'), ('e3', 1, 0, 250, '', '', '', 'QUEUED'),
      ('e4', 2, 0, 250, '', '', '', 'HARD-BOUNCE');`);
  database.close();

  const migrated = await openDatabase(file);
  const rows = migrated.prepare("SELECT statuses FROM log_entries ORDER BY seq").all();
  expect(rows.map(({ statuses }) => statuses)).toEqual([33, 8]);
  migrated.exec("DELETE FROM log_entries WHERE seq = 1");
  expect(
    migrated
      .prepare("SELECT seq FROM mails")
      .all()
      .map(({ seq }) => seq),
  ).toEqual([2]);
  migrated.close();
});
