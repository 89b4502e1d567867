/** A name as a part of a key: `PaymentRefund` for `payment.refund`, `payment-refund` and `paymentRefund`. */
export function pascalCase(name: string): string {
  return name
    .split(/[.-]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
}
