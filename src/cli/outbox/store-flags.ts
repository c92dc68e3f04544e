/**
 * Flags that name the mailer's store.
 *
 * @param purpose What a command needs it for, if that is not obvious: `to include queued messages`.
 */
export const storeFlags = (purpose?: string) =>
  ({
    store: {
      summary: `The mailer's store${purpose === undefined ? "" : `, ${purpose}`}: a file or postgres://… (default: LETTERSHOP_STORE)`,
      value: "STORE",
    },
    schema: { summary: "The schema of a store in Postgres (default: lettershop)", value: "NAME" },
  }) as const;
