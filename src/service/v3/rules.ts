import { ruleBulkSchema } from "../../api/contract/v3/rules.js";
import type { ServiceContext } from "../context.js";
import type { HandlersV3, HandlersV4 } from "../endpoints.js";
import { readEntries } from "../http/batch.js";
import { asksForCount } from "../http/request.js";
import { parse } from "../http/validate.js";
import { addRule, addRules, changeRules, deleteRules, findRule, readNewRule, updateRule } from "../rules.js";
import { ruleInSecondsV3, ruleV3, withSuccess } from "./records.js";

const bulkBehavior = ruleBulkSchema.pick({ behavior: true });

export function ruleHandlersV3(context: ServiceContext, v4: HandlersV4<"rules">): HandlersV3<"rules"> {
  const { rules } = context.store;
  return {
    "rules.list": ({ domain, query }) => {
      const { search, limit, page } = query();
      const { rows, total } = rules.list(domain.id, search, { order: "rank_asc", limit, page });
      return { rules: rows.map(ruleV3), limit, page, total, success: true };
    },
    "rules.get": ({ domain, parameters }) => ruleV3(findRule(rules, domain.id, parameters.rule)),
    "rules.create": async ({ account, domain, body }) => {
      const fields = await readNewRule(await body(), context.patterns);
      return { rule: ruleV3(addRule(context, account, domain.id, fields)), success: true };
    },
    "rules.update": async ({ domain, parameters, body }) => {
      const rule = await updateRule(context, domain.id, parameters.rule, await body());
      return { rule: ruleInSecondsV3(rule), success: true };
    },
    "rules.delete": withSuccess(v4["rules.delete"]),
    "rules.deleteAll": ({ domain, rawQuery }) => {
      const isCounted = asksForCount(rawQuery());
      const deleted = rules.deleteAll(domain.id);
      return { ...(isCounted && { deleted }), success: true };
    },
    "rules.createMany": v4["rules.createMany"],
    "rules.updateMany": v4["rules.updateMany"],
    "rules.deleteMany": v4["rules.deleteMany"],
    /** Adds, updates or deletes several rules. Failed entries, which may have any form, do not affect the others. */
    "rules.bulk": async ({ account, domain, body }) => {
      const fields = await body();
      const { behavior } = parse(bulkBehavior, fields);
      const entries = readEntries(fields, "rules");
      const run = {
        add: () => addRules(context, account, domain.id, entries),
        update: () => changeRules(context, domain.id, entries),
        delete: () => deleteRules(context, domain.id, entries),
      };
      const { done, failed } = await run[behavior]();
      const results = done.map((rule) => ({ operation: behavior, rule: ruleInSecondsV3(rule), success: true }));
      return { errors: failed, results, success: true };
    },
  };
}
