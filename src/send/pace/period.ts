/** A UTC day or month: the service's documentation does not define the time zone of its limits. */
export interface Period {
  readonly kind: "day" | "month";
  /** `2027-01-15` or `2027-01`. */
  readonly key: string;
  readonly beganAt: Date;
  readonly endsAt: Date;
}

/** @param time Milliseconds since 1970. */
export function periodsAt(time: number): readonly [Period, Period] {
  const now = new Date(time);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const text = now.toISOString();
  return [
    {
      kind: "day",
      key: text.slice(0, "2027-01-15".length),
      beganAt: new Date(Date.UTC(year, month, day)),
      endsAt: new Date(Date.UTC(year, month, day + 1)),
    },
    {
      kind: "month",
      key: text.slice(0, "2027-01".length),
      beganAt: new Date(Date.UTC(year, month)),
      endsAt: new Date(Date.UTC(year, month + 1)),
    },
  ];
}
