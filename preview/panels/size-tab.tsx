import { Ruler } from "lucide-react";
import type { SizeReport, TemplateReport } from "../../src/preview/contract.js";
import { addressOf, useView } from "../state/view-store.js";
import type { Tone } from "../ui/badge.js";
import { EmptyState } from "../ui/empty-state.js";
import styles from "./size.module.css";
import { nearLimit } from "./report.js";

export const SizeTab = ({ report: { sizes } }: { readonly report: TemplateReport }) => {
  if (sizes.length === 0) {
    return (
      <EmptyState icon={Ruler} title="No sizes yet">
        Sizes appear once the template compiles.
      </EmptyState>
    );
  }
  return (
    <ul className={styles.sizes} tabIndex={0} aria-label="Sizes">
      {sizes.map((size) => (
        <Size key={size.name} size={size} />
      ))}
    </ul>
  );
};

const Size = ({ size: { name, value, limit, unit, consequence, fixture } }: { readonly size: SizeReport }) => {
  const isOver = value > limit;
  const isNear = !isOver && value > limit * nearLimit;
  const tone: Tone = isOver ? "error" : isNear ? "warning" : "accent";
  const number = (count: number) => count.toLocaleString("en-GB");
  const share = Math.round((value / limit) * 100);
  return (
    <li data-tone={tone} className={styles.size}>
      <p className={styles.head}>
        <span className={styles.name}>{name}</span>
        <span className={styles.value}>
          <strong>{number(value)}</strong> of {number(limit)} {unit}
          <span className={styles.share}>{share === 0 && value > 0 ? "<1" : share}%</span>
        </span>
      </p>
      <div
        role="meter"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(value, limit)}
        aria-valuetext={`${number(value)} of ${number(limit)} ${unit}`}
        className={styles.track}
      >
        <span className={styles.fill} style={{ inlineSize: `${Math.min(100, (value / limit) * 100)}%` }} />
      </div>
      <p className={styles.consequence}>
        {isOver ? "Over the limit. " : isNear ? "Near the limit. " : ""}
        {consequence}
        {fixture !== undefined && (
          <>
            {" "}
            Measured with the largest fixture, <FixtureLink fixture={fixture} />.
          </>
        )}
      </p>
    </li>
  );
};

const FixtureLink = ({ fixture }: { readonly fixture: string }) => {
  const view = useView();
  return view.fixture === fixture ? <strong>{fixture}</strong> : <a href={addressOf({ fixture })}>{fixture}</a>;
};
