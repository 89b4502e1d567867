import { newKey } from '#base/web/key.ts'

const place = 'draft tab'
let name: string | null = null

/**
 * The name of this tab among those of its browser, the same after a reload. While the tab is open its name is not where the browser
 * would copy it from for a duplicate, which so gets a name of its own.
 */
export function tabName(): string {
  if (name !== null) return name
  name = takeAway() ?? newKey()
  addEventListener('pagehide', () => leave(name ?? ''))
  addEventListener('pageshow', ({ persisted }) => void (persisted && takeAway()))
  return name
}

function takeAway(): string | null {
  try {
    const left = sessionStorage.getItem(place)
    sessionStorage.removeItem(place)
    return left && /^[0-9a-f]{32}$/.test(left) ? left : null
  } catch {
    return null // storage is closed to us: each page is a tab of its own
  }
}

function leave(own: string): void {
  try {
    sessionStorage.setItem(place, own)
  } catch {
    // the next page in this tab takes another name, and finds what this one kept
  }
}
