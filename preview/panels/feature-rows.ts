import type { ClientFeature, ClientRow } from "../../src/preview/contract.js";

export type Loss = ClientFeature["loss"];

export const lossNames: Readonly<Record<Loss, string>> = {
  content: "Content or layout breaks without it",
  style: "Looks different without it",
  extra: "Barely noticeable without it",
};

/** A feature with each client's support. Clients that are not listed support it fully. */
export interface FeatureSupport {
  readonly name: string;
  readonly page: string;
  readonly byClient: ReadonlyMap<string, ClientFeature>;
}

interface LossGroup {
  readonly loss: Loss;
  /** Features that most clients lack come first. */
  readonly features: readonly FeatureSupport[];
}

const losses: readonly Loss[] = ["content", "style", "extra"];

export const featureRows = (clients: readonly ClientRow[]): readonly LossGroup[] => {
  const features = new Map<string, { loss: Loss; page: string; byClient: Map<string, ClientFeature> }>();
  for (const client of clients) {
    for (const feature of client.features) {
      const known = features.get(feature.name) ?? { loss: feature.loss, page: feature.page, byClient: new Map() };
      known.byClient.set(client.name, feature);
      features.set(feature.name, known);
    }
  }
  return losses.flatMap((loss) => {
    const own = Array.from(features, ([name, feature]) => ({ name, ...feature }))
      .filter((feature) => feature.loss === loss)
      .sort((a, b) => weight(b) - weight(a));
    return own.length === 0 ? [] : [{ loss, features: own }];
  });
};

const weights = { none: 10_000, partial: 100, unknown: 1 } as const;

const weight = ({ byClient }: FeatureSupport): number =>
  [...byClient.values()].reduce((sum, { support }) => sum + weights[support], 0);
