import { checks as ofBounties } from '#bounty/server/book-checks.ts'
import { checks as ofHiddenParts } from '#hidden-part/server/book-checks.ts'
import { checks as ofMemberships } from '#membership/server/book-checks.ts'
import { checks as ofPayments } from '#payment/server/book-checks.ts'
import { checks as ofRedEnvelopes } from '#red-envelope/server/book-checks.ts'
import { guardDifferences } from '#database/guards.ts'
import type { Check } from '#wallet/server/breaches.ts'
import { checks as ofLedger } from '#wallet/server/checks.ts'
import { checks as ofPosts } from '#post/server/reward-checks.ts'

const ofGuards: Check = { name: 'what guards the books is as the program has it', over: 'database', breaches: guardDifferences }

/** What is true of the books. A feature that moves points or balance adds its own by a line. */
export const bookChecks: readonly Check[] = [
  ofGuards,
  ...ofLedger,
  ...ofPosts,
  ...ofHiddenParts,
  ...ofBounties,
  ...ofMemberships,
  ...ofPayments,
  ...ofRedEnvelopes,
]
