import { storedPair, storePair, type Pair } from '#base/web/token.ts'

/** What the refresh call gives back: nulls when the session is over. */
export type Refreshed = { accessToken: string | null; refreshToken: string | null; systemUser: unknown }

/** One wait for a pair, shared by every call that failed for want of one. */
export type Renewed = {
  /** To send again with; null when none came back. */
  pair: Pair | null
  refreshed: Refreshed | null
  /** Whether one of those who waited has taken the person to the login already. */
  hasLeft: boolean
}

export type Renewal = {
  /** A pair other than the one a call failed with: another tab's where one has come since, else a new one. */
  after(used: Pair | null): Promise<Renewed>
  /** A refresh that really asks, for those who want to know who is logged in. */
  ask(): Promise<Refreshed>
}

const nobody: Refreshed = { accessToken: null, refreshToken: null, systemUser: null }

/**
 * One refresh for all who wait, in this tab and the others. `ask` makes the call and throws when it fails; `renewed` hears who is logged in
 * with a pair that is stored.
 */
export function renewalBy(ask: (present: Pair) => Promise<Refreshed>, renewed: (systemUser: unknown) => void): Renewal {
  let running: Promise<Renewed> | null = null

  function share(deed: () => Promise<Renewed>): Promise<Renewed> {
    running ??= inOneTab(deed).finally(() => {
      running = null
    })
    return running
  }

  async function refresh(): Promise<Renewed> {
    const present = storedPair()
    // Another call may have learnt that the session is over, and led to the login, while this one waited.
    if (!present) return { pair: null, refreshed: nobody, hasLeft: false }
    const refreshed = await ask(present)
    const now = storedPair()
    // Whoever logged out meanwhile is not logged in again, and whoever logged in after that stays.
    if (now?.refreshToken !== present.refreshToken) return { pair: now, refreshed: now ? null : nobody, hasLeft: false }
    const { accessToken, refreshToken, systemUser } = refreshed
    const pair = accessToken && refreshToken ? { accessToken, refreshToken } : null
    if (pair) {
      storePair(pair)
      renewed(systemUser)
    }
    return { pair, refreshed, hasLeft: false }
  }

  async function refreshUnlessChanged(used: Pair | null): Promise<Renewed> {
    const present = storedPair()
    if (present && present.refreshToken === used?.refreshToken) return refresh()
    return { pair: present, refreshed: null, hasLeft: false }
  }

  return {
    after: (used) => share(() => refreshUnlessChanged(used)),
    async ask() {
      let renewed = await running
      // One that was under way may have found another tab's pair, and asked nobody.
      while (!renewed?.refreshed) renewed = await share(refresh)
      return renewed.refreshed
    },
  }
}

/** One tab after another. Locks exist over HTTPS and on localhost; elsewhere the server's grace for a repeated token serves. */
async function inOneTab(deed: () => Promise<Renewed>): Promise<Renewed> {
  if (!('locks' in navigator)) return deed()
  const atOnce = await navigator.locks.request('bbsToken', { ifAvailable: true }, (lock) => lock && deed())
  if (atOnce) return atOnce

  const isHeard = new Promise((heard) => addEventListener('storage', heard, { once: true }))
  return navigator.locks.request('bbsToken', async () => {
    // What the other tab has stored is seen here a moment after it let go.
    await Promise.race([isHeard, new Promise((late) => setTimeout(late, 100))])
    return deed()
  })
}
