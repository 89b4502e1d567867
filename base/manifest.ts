import { pascalCase } from '#base/pascal-case.ts'

/** The groups of rights on the form of a staff role, in their order. */
export const rightAreas = ['content', 'members', 'wallet', 'site', 'house'] as const
export type RightArea = (typeof rightAreas)[number]

/**
 * The names that a feature declares for its server and for the administration. A name that is missing here does not compile where it is
 * used; its words stand in `admin/words` of the same feature.
 */
export interface Manifest {
  /** The name of its folder. */
  readonly feature: string
  /** Rights of staff by area: `payment.refund`. The word of each is `rightPaymentRefund`. */
  readonly staffRights?: Readonly<Partial<Record<RightArea, readonly string[]>>>
  /** Actions in the audit log: `payment.refund`. The word of each is `actionPaymentRefund`, that of their group `groupPayment`. */
  readonly auditActions?: readonly string[]
  /** Kinds of subject in the audit log, each with the path of its screen: `payment`. The word of each is `aboutPayment`. */
  readonly auditSubjects?: Readonly<Record<string, ((id: string) => string) | null>>
}

/** The catalogue code of a text that a feature has for staff: `redEnvelopeAdmin.rightRedEnvelopeStop`. */
export function adminWord(feature: string, key: string): string {
  const name = pascalCase(feature)
  const catalogue = `${name.charAt(0).toLowerCase()}${name.slice(1)}Admin`
  return `${catalogue}.${key}`
}
