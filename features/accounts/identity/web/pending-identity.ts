const pendingKey = 'identity ticket'
const returnPathKey = 'identity way'

/** A provider's identity without an account: kept in this tab during the login to the account that is meant. */
export type PendingIdentity = { ticket: string; provider: string; name: string | null; jumpUrl: string | null }

export function storePendingIdentity(waiting: PendingIdentity): void {
  sessionStorage.setItem(pendingKey, JSON.stringify(waiting))
}

export function pendingIdentity(): PendingIdentity | null {
  const { ticket, provider, name = null, jumpUrl = null }: Partial<PendingIdentity> = JSON.parse(sessionStorage.getItem(pendingKey) ?? '{}')
  return ticket && provider ? { ticket, provider, name, jumpUrl } : null
}

export function clearPendingIdentity(): void {
  sessionStorage.removeItem(pendingKey)
}

/** Stores the page that the login started from, for a login that fails. */
export function storeReturnPath(path: string): void {
  sessionStorage.setItem(returnPathKey, path)
}

export function returnPath(): string {
  return sessionStorage.getItem(returnPathKey) ?? '/login'
}
