const kept = 'afterLogin'
const minutes = 15

/** Remembers in this tab what a visitor wanted to do when they were asked to log in. */
export function rememberDeed(deed: string): void {
  sessionStorage.setItem(kept, JSON.stringify({ deed, at: Date.now() }))
}

/** Whether they are back to do it now; true once. */
export function takeDeed(deed: string): boolean {
  const { deed: remembered, at } = JSON.parse(sessionStorage.getItem(kept) ?? '{}') as { deed?: string; at?: number }
  if (remembered !== deed) return false
  sessionStorage.removeItem(kept)
  return Date.now() - (at ?? 0) < minutes * 60_000
}
