import type { Document } from '#real-name/contract.ts'

/** Who somebody says they are. */
export type Claim = { document: Document; name: string; number: string; /** As 2001-02-28. */ birthday: string }

/** Whether the parts of a claim belong together; it is away where it did not say so in a way that can be believed. */
export type Verdict = 'same' | 'different' | 'away'

/** Somebody who knows who people are. A machine that does not answer is an error that it throws. */
export type Checker = { name: string; documents: readonly Document[]; check(claim: Claim): Promise<Verdict> }
