import { checks as ofBounties } from '#bounty/server/book-checks.ts'
import { checks as ofHiddenParts } from '#hidden-part/server/book-checks.ts'
import type { Check } from '#wallet/server/books.ts'
import { checks as ofLedger } from '#wallet/server/checks.ts'
import { checks as ofPosts } from '#post/server/reward-checks.ts'

/** What is true of the books. A feature that moves points or balance adds its own by a line. */
export const bookChecks: readonly Check[] = [...ofLedger, ...ofPosts, ...ofHiddenParts, ...ofBounties]
