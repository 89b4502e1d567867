export type Pair = { accessToken: string; refreshToken: string }

const place = 'bbsToken'

/** The pair that says who is logged in here, shared by all tabs. */
export function storedPair(): Pair | null {
  try {
    const { accessToken, refreshToken } = JSON.parse(localStorage.getItem(place) ?? '{}')
    return typeof accessToken === 'string' && typeof refreshToken === 'string' ? { accessToken, refreshToken } : null
  } catch {
    return null // storage is closed to us, or somebody else wrote there
  }
}

export function storePair({ accessToken, refreshToken }: Pair): void {
  localStorage.setItem(place, JSON.stringify({ accessToken, refreshToken }))
}

export function removePair(): void {
  localStorage.removeItem(place)
}

/** Runs when another tab logs in, out or renews. */
export function onOtherTab(react: () => void): void {
  addEventListener('storage', (event) => {
    if (event.key === place || event.key === null) react()
  })
}

/** What a write shows to have come from a page of the site; null until the site has handed it out. */
export function writeToken(): string | null {
  return /(?:^|;\s*)cms_token=([^;]+)/.exec(document.cookie)?.[1] ?? null
}
