// @ts-check

/** @param {number} number */
export function orderOf(number) {
  const items = Array.from({ length: 5 }, (_, index) => ({
    name: `Tea ${index}`,
    quantity: 1 + (index % 3),
    price: 4.5,
  }));
  return { number: `A-${number}`, customer: "Ada Lovelace", total: "45.00", items };
}

/** The request to the service for an order. @param {ReturnType<typeof orderOf>} order @param {string} to */
export function requestOf(order, to) {
  return { from: "shop", to: [to], template: "receipt", variables: { order } };
}
