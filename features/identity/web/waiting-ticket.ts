const kept = 'identity ticket'
const left = 'identity way'

/** A provider's identity without an account: kept in this tab during the login to the account that is meant. */
export type Waiting = { ticket: string; provider: string; name: string | null; jumpUrl: string | null }

export function keepWaiting(waiting: Waiting): void {
  sessionStorage.setItem(kept, JSON.stringify(waiting))
}

export function waiting(): Waiting | null {
  const { ticket, provider, name = null, jumpUrl = null }: Partial<Waiting> = JSON.parse(sessionStorage.getItem(kept) ?? '{}')
  return ticket && provider ? { ticket, provider, name, jumpUrl } : null
}

export function waitNoMore(): void {
  sessionStorage.removeItem(kept)
}

/** Stores the page that the login started from, for a login that fails. */
export function keepWayBack(path: string): void {
  sessionStorage.setItem(left, path)
}

export function wayBack(): string {
  return sessionStorage.getItem(left) ?? '/login'
}
