import { CircleX, TriangleAlert } from "lucide-react";
import type { TemplateSummary } from "../../contract.js";
import { Badge } from "../ui/badge.js";
import { Spoken } from "../ui/spoken.js";

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

/** The worst that is known of a template. */
export const FindingMark = ({ template: { state, findings } }: { readonly template: TemplateSummary }) => {
  if (state === "broken")
    return (
      <Badge tone="error">
        <CircleX size={12} aria-hidden />
        <Spoken>, </Spoken>
        Broken
      </Badge>
    );
  if (!findings) return null;
  const { error, warning } = findings;
  if (error > 0)
    return (
      <Badge tone="error">
        <CircleX size={12} aria-hidden />
        {error}
        <Spoken>{counted(error, "error").replace(/^\d+/, "")}</Spoken>
      </Badge>
    );
  if (warning > 0)
    return (
      <Badge tone="warning">
        <TriangleAlert size={12} aria-hidden />
        {warning}
        <Spoken>{counted(warning, "warning").replace(/^\d+/, "")}</Spoken>
      </Badge>
    );
  return null;
};
