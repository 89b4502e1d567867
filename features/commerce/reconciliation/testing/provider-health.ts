import type { ProviderHealth } from '#reconciliation/contract.ts'

/** A payment provider at which nothing is wrong. */
export const wellProvider: ProviderHealth = {
  name: 'sandbox',
  failures: 0,
  keyProblem: null,
  endings: [],
  inboxSeconds: null,
  suspended: 0,
  unreadable: 0,
  lateOrders: 0,
  lateRefunds: 0,
  failedStatements: 0,
}
