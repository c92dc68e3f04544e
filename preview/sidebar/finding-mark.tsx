import { CircleX, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { TemplateSummary } from "../../src/preview/contract.js";
import { byWorst, countsInWords, sumOf, toneOf } from "../state/counts.js";
import { Badge, type Tone } from "../ui/badge.js";
import { Spoken } from "../ui/spoken.js";

const icons: Readonly<Partial<Record<Tone, LucideIcon>>> = { error: CircleX, warning: TriangleAlert };

/** The number of findings of the worst severity, and of all others. */
export const FindingMark = ({ template: { state, findings } }: { readonly template: TemplateSummary }) => {
  if (state === "broken")
    return (
      <Badge tone="error">
        <CircleX size={12} aria-hidden />
        <Spoken>, </Spoken>
        Broken
      </Badge>
    );
  return byWorst(findings ?? {}).map((counts, at) => {
    const tone = toneOf(counts);
    const Icon = icons[tone] ?? Info;
    return (
      <Badge key={tone} tone={tone}>
        {at === 0 && <Icon size={12} aria-hidden />}
        <span aria-hidden title={countsInWords(counts)}>
          {at > 0 && "+"}
          {sumOf(counts)}
        </span>
        <Spoken>, {countsInWords(counts)}</Spoken>
      </Badge>
    );
  });
};
