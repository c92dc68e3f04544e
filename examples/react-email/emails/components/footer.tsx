import { Section, Text } from "@react-email/components";

export function Footer() {
  return (
    <Section>
      <Text style={{ color: "#6b7280", fontSize: "13px" }}>
        You received this email because you ordered at Example Ltd, 1 Sample Street, London.
      </Text>
    </Section>
  );
}
