export type Pair = { accessToken: string; refreshToken: string }

const place = 'bbsToken'

/** The stored token pair of the session, shared by all tabs. */
export function storedPair(): Pair | null {
  try {
    const { accessToken, refreshToken } = JSON.parse(localStorage.getItem(place) ?? '{}')
    return typeof accessToken === 'string' && typeof refreshToken === 'string' ? { accessToken, refreshToken } : null
  } catch {
    return null // storage is unavailable, or holds a foreign value
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

/** The CSRF token of writes; null until the site has issued it. */
export function writeToken(): string | null {
  return /(?:^|;\s*)cms_token=([^;]+)/.exec(document.cookie)?.[1] ?? null
}
