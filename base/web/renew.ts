import { storedPair, storePair, type TokenPair } from '#base/web/token.ts'

/** The response of the refresh call: nulls when the session is over. */
export type RefreshAnswer = { accessToken: string | null; refreshToken: string | null; systemUser: unknown }

/** The result of one renewal, shared by all calls that wait for it. */
export type RenewalResult = {
  /** The tokens to retry with; null if there are none. */
  pair: TokenPair | null
  refreshed: RefreshAnswer | null
  /** Whether a waiting call has already redirected to the login. */
  hasRedirected: boolean
}

export type TokenRenewal = {
  /** A pair other than the one a call failed with: one stored by another tab, else a new one. */
  after(used: TokenPair | null): Promise<RenewalResult>
  /** A refresh that always asks the server, to learn who is logged in. */
  refresh(): Promise<RefreshAnswer>
}

const signedOutAnswer: RefreshAnswer = { accessToken: null, refreshToken: null, systemUser: null }

/**
 * Single-flight token refresh, in this tab and across tabs. `ask` makes the call and throws when it fails; `renewed` is called with
 * the member of a stored pair.
 */
export function createRenewal(ask: (present: TokenPair) => Promise<RefreshAnswer>, renewed: (systemUser: unknown) => void): TokenRenewal {
  let running: Promise<RenewalResult> | null = null

  function share(action: () => Promise<RenewalResult>): Promise<RenewalResult> {
    running ??= underTabLock(action).finally(() => {
      running = null
    })
    return running
  }

  async function refresh(): Promise<RenewalResult> {
    const present = storedPair()
    // Another call may have ended the session, and redirected to the login, while this one waited.
    if (!present) return { pair: null, refreshed: signedOutAnswer, hasRedirected: false }
    const refreshed = await ask(present)
    const now = storedPair()
    // A logout or a new login in the meantime wins.
    if (now?.refreshToken !== present.refreshToken) return { pair: now, refreshed: now ? null : signedOutAnswer, hasRedirected: false }
    const { accessToken, refreshToken, systemUser } = refreshed
    const pair = accessToken && refreshToken ? { accessToken, refreshToken } : null
    if (pair) {
      storePair(pair)
      renewed(systemUser)
    }
    return { pair, refreshed, hasRedirected: false }
  }

  async function refreshUnlessChanged(used: TokenPair | null): Promise<RenewalResult> {
    const present = storedPair()
    if (present && present.refreshToken === used?.refreshToken) return refresh()
    return { pair: present, refreshed: null, hasRedirected: false }
  }

  return {
    after: (used) => share(() => refreshUnlessChanged(used)),
    async refresh() {
      let renewed = await running
      // A refresh in flight may have used another tab's pair without asking the server.
      while (!renewed?.refreshed) renewed = await share(refresh)
      return renewed.refreshed
    },
  }
}

/** Serializes tabs. Locks exist over HTTPS and on localhost; elsewhere the server's grace period for a repeated token suffices. */
async function underTabLock(action: () => Promise<RenewalResult>): Promise<RenewalResult> {
  if (!('locks' in navigator)) return action()
  const atOnce = await navigator.locks.request('bbsToken', { ifAvailable: true }, (lock) => lock && action())
  if (atOnce) return atOnce

  const isHeard = new Promise((heard) => addEventListener('storage', heard, { once: true }))
  return navigator.locks.request('bbsToken', async () => {
    // The other tab's change of storage becomes visible a moment after it releases the lock.
    await Promise.race([isHeard, new Promise((late) => setTimeout(late, 100))])
    return action()
  })
}
