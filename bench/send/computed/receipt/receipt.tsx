interface Props {
  order: {
    number: string;
    customer: string;
    total: string;
    items: { name: string; quantity: number; price: number }[];
  };
}

const euros = new Intl.NumberFormat("de-DE", { style: "currency", currency: "EUR" });
const TAX = 0.19;

function delivery(sum: number) {
  return sum >= 50 ? 0 : 4.9;
}

/** A receipt with 20 computed values, four of them for each of its lines. */
export default function Receipt({ order: { number, customer, total, items } }: Props) {
  const [prefix, serial] = number.split("-");
  const sum = items.reduce((all, { price, quantity }) => all + price * quantity, 0);
  const pieces = items.reduce((all, { quantity }) => all + quantity, 0);
  const dear = items.filter(({ price }) => price > 4);
  return (
    <html lang="en">
      <head>
        <title>{`Receipt ${number}`}</title>
      </head>
      <body>
        <h1>
          Order {serial}/{prefix}
        </h1>
        <p>
          {customer.split(" ")[0]}, {customer.toUpperCase()}, {customer.slice(0, 1)}, {customer.length} letters
        </p>
        {items.map((item, index) => (
          <p key={item.name}>
            {index + 1}. {item.name.toLowerCase()}: {item.quantity} × {euros.format(item.price)} =
            {euros.format(item.price * item.quantity)}
          </p>
        ))}
        <p>
          {pieces} {pieces === 1 ? "piece" : "pieces"}, {euros.format(sum)}, of which tax {(sum * TAX).toFixed(2)},
          delivery {euros.format(delivery(sum))}, paid {Number(total).toFixed(1)}
        </p>
        <p>{dear.map(({ name }) => name).join(", ")}</p>
        <p>{Math.round(sum / pieces)} on average</p>
        <p>{number.replaceAll("-", " ").padStart(12, "0")}</p>
        <p>
          {serial} of {Math.max(...items.map(({ price }) => price))}, {items.length * 2},{" "}
          {items
            .map(({ name }) => name)
            .toSorted()
            .at(-1)}
          , {(sum / 7).toPrecision(3)}
        </p>
      </body>
    </html>
  );
}

Receipt.PreviewProps = {
  order: {
    number: "A-1",
    customer: "Ada Lovelace",
    total: "45.00",
    items: [{ name: "Tea 0", quantity: 1, price: 4.5 }],
  },
} satisfies Props;
