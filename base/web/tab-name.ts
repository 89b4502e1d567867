import { newKey } from '#base/web/key.ts'

const storageKey = 'tab'
let name: string | null = null

/**
 * A name for this tab that is unique in its browser and survives a reload. While the tab is open the name is removed from session storage,
 * because the browser would copy it to a duplicated tab.
 */
export function tabName(): string {
  if (name !== null) return name
  name = takeStoredName() ?? newKey()
  addEventListener('pagehide', () => storeName(name ?? ''))
  addEventListener('pageshow', ({ persisted }) => void (persisted && takeStoredName()))
  return name
}

function takeStoredName(): string | null {
  try {
    const left = sessionStorage.getItem(storageKey)
    sessionStorage.removeItem(storageKey)
    return left && /^[0-9a-f]{32}$/.test(left) ? left : null
  } catch {
    return null // storage is unavailable: each page counts as a tab of its own
  }
}

function storeName(own: string): void {
  try {
    sessionStorage.setItem(storageKey, own)
  } catch {
    // the next page in this tab takes another name, and finds this one's drafts
  }
}
