import type { z } from 'zod'
import type { LoginView, TokenPair } from '#account/contract.ts'

/** The session of a login that asks for nothing more. */
export function sessionOf(view: z.infer<typeof LoginView> | null): z.infer<typeof TokenPair> {
  if (view === null || !('accessToken' in view)) throw new Error('More is asked for than was shown')
  return view
}
