/**
 * The names that a feature declares for its server and for the administration. A name that is missing here does not compile where it is
 * used; its words stand in `admin/words` of the same feature.
 */
export interface Manifest {
  /** The name of its folder. */
  readonly feature: string
  /** Rights of staff: `payment.refund`. The word of each is `rightPaymentRefund`. */
  readonly staffRights?: readonly string[]
  /** Actions in the audit log: `payment.refund`. The word of each is `actionPaymentRefund`. */
  readonly auditActions?: readonly string[]
  /** Jobs with words of their own: `payment-query`. The word of each is `jobPaymentQuery`. */
  readonly jobs?: readonly string[]
}

/** The names of one kind that these manifests declare, as a type. */
export type Declared<Manifests extends readonly Manifest[], Property extends keyof Manifest> =
  Extract<Manifests[number], Readonly<Record<Property, unknown>>> extends infer One
    ? One extends Readonly<Record<Property, readonly (infer Name)[]>>
      ? Name
      : never
    : never
