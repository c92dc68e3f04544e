import { CircleX, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { TemplateSummary } from "../../contract.js";
import { countsInWords, sumOf, toneOf } from "../state/counts.js";
import { Badge, type Tone } from "../ui/badge.js";
import { Spoken } from "../ui/spoken.js";

const icons: Readonly<Partial<Record<Tone, LucideIcon>>> = { error: CircleX, warning: TriangleAlert };

/** How much was found in a template, in the colour of the worst of it. */
export const FindingMark = ({ template: { state, findings } }: { readonly template: TemplateSummary }) => {
  if (state === "broken")
    return (
      <Badge tone="error">
        <CircleX size={12} aria-hidden />
        <Spoken>, </Spoken>
        Broken
      </Badge>
    );
  const count = sumOf(findings);
  if (!findings || count === 0) return null;
  const tone = toneOf(findings);
  const Icon = icons[tone] ?? Info;
  return (
    <Badge tone={tone}>
      <Icon size={12} aria-hidden />
      <span aria-hidden title={countsInWords(findings)}>
        {count}
      </span>
      <Spoken>, {countsInWords(findings)}</Spoken>
    </Badge>
  );
};
