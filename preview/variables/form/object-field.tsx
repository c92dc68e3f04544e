import type { VariablesSchema } from "../../../src/mustache/variables.js";
import { isObject } from "../schema/resolve.js";
import { Group, type GroupProps } from "./group.js";
import { Members } from "./members.js";
import { summaryOf } from "./summary.js";

export const ObjectField = ({
  schema,
  value,
  ...group
}: Omit<GroupProps, "children" | "summary"> & { readonly schema: VariablesSchema; readonly value: unknown }) => (
  <Group {...group} summary={summaryOf(value)}>
    {() => <Members schema={schema} value={isObject(value) ? value : {}} path={group.path} />}
  </Group>
);
