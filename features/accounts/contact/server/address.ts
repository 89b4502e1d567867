import type { Kind } from '#contact/contract.ts'

/** An address in its canonical form. */
export type Address = { kind: Kind; address: string }

/** An address as one string, its kind first. */
export function subjectOf({ kind, address }: Address): string {
  return `${kind} ${address}`
}
