const storageKey = 'afterLogin'
const minutes = 15

/** Remembers in this tab the action for which a visitor was sent to the login. */
export function rememberAction(action: string): void {
  sessionStorage.setItem(storageKey, JSON.stringify({ action, at: Date.now() }))
}

/** Whether the visitor is back for this action; true once. */
export function takeAction(action: string): boolean {
  const { action: remembered, at } = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as { action?: string; at?: number }
  if (remembered !== action) return false
  sessionStorage.removeItem(storageKey)
  return Date.now() - (at ?? 0) < minutes * 60_000
}
