const storageKey = 'afterLogin'
const minutes = 15

/** Remembers in this tab the action for which a visitor was sent to the login. */
export function rememberDeed(deed: string): void {
  sessionStorage.setItem(storageKey, JSON.stringify({ deed, at: Date.now() }))
}

/** Whether the visitor is back for this action; true once. */
export function takeDeed(deed: string): boolean {
  const { deed: remembered, at } = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as { deed?: string; at?: number }
  if (remembered !== deed) return false
  sessionStorage.removeItem(storageKey)
  return Date.now() - (at ?? 0) < minutes * 60_000
}
