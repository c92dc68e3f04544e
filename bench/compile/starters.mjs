// @ts-check
/**
 * The derived variables of the starter templates. With these, a body can be rendered without its `variables.ts`, which other
 * tools do not support.
 *
 * @type {Record<"mjml" | "react", Record<string, object>>}
 */
export const DERIVED = {
  mjml: {
    receipt: {
      placedOn: "March 14, 2026",
      lines: [
        { name: "Studio plan, March 2026", quantity: 4, unitPrice: "£12.00", amount: "£48.00" },
        { name: "Extra storage, 100 GB", quantity: 1, unitPrice: "£5.00", amount: "£5.00" },
        { name: "Onboarding session", quantity: 1, unitPrice: "£90.00", amount: "£90.00" },
      ],
      totals: {
        subtotal: "£143.00",
        discount: { label: "Annual customer, 10% off", amount: "-£14.30" },
        tax: { label: "VAT 20%", amount: "£25.74" },
        total: "£154.44",
      },
    },
    "payment-failed": {
      amount: "£57.60",
      attemptedOn: "March 14, 2026",
      nextAttempt: { on: "March 17, 2026" },
      accessEndsOn: "March 28, 2026",
    },
    welcome: { trial: { endsOn: "March 28, 2026" } },
  },
  react: {
    "password-reset": {
      validFor: "30 minutes",
      facts: [
        { label: "Time", value: "March 14, 2026 at 09:05 UTC" },
        { label: "Device", value: "Firefox on Linux" },
        { label: "Place", value: "Near Leeds, United Kingdom" },
      ],
    },
    "team-invite": {
      messageParagraphs: ["Here is where we plan the canal garden.", "Have a look at the March board first, please."],
      expiresOn: "March 21, 2026",
    },
  },
};
