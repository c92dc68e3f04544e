import type { ReactNode } from "react";
import { Group, Panel, Separator } from "react-resizable-panels";
import { useIsNarrow, useKeptSize } from "../state/window.js";

/** A list next to what is open in it, or only one of them on narrow screens. */
export const ListAreas = ({
  label,
  shown,
  none,
  children,
}: {
  /** What the list contains. */
  readonly label: string;
  readonly shown: ReactNode;
  /** Shown next to the list while nothing is open. */
  readonly none: ReactNode;
  readonly children: ReactNode;
}) => {
  const { keep, ...list } = useKeptSize("inbox", 384);
  const isNarrow = useIsNarrow();
  const all = (
    <section aria-label={label} className="panel">
      {children}
    </section>
  );
  if (isNarrow) return shown || all;
  return (
    <Group onLayoutChanged={(_, { isUserInteraction }) => isUserInteraction && keep()}>
      <Panel {...list} minSize={248} maxSize={560}>
        {all}
      </Panel>
      <Separator aria-label={`${label.replace(/s$/, "")} list width`} />
      <Panel id="mail" minSize={320}>
        {shown || <div className="page">{none}</div>}
      </Panel>
    </Group>
  );
};
