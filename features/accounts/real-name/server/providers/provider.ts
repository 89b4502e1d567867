import type { Document } from '#real-name/contract.ts'

/** The person that a member claims to be. */
export type Claim = { document: Document; name: string; number: string; /** As 2001-02-28. */ birthday: string }

/** Whether the parts of a claim belong together; `away` where the provider gave no credible answer. */
export type Verdict = 'same' | 'different' | 'away'

/** A provider that verifies identities. Throws if it does not answer. */
export type Checker = { name: string; documents: readonly Document[]; check(claim: Claim): Promise<Verdict> }
