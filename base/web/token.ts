export type TokenPair = { accessToken: string; refreshToken: string }

const storageKey = 'bbsToken'

/** The stored token pair of the session, shared by all tabs. */
export function storedPair(): TokenPair | null {
  try {
    const { accessToken, refreshToken } = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
    return typeof accessToken === 'string' && typeof refreshToken === 'string' ? { accessToken, refreshToken } : null
  } catch {
    return null // storage is unavailable, or holds a foreign value
  }
}

export function storePair({ accessToken, refreshToken }: TokenPair): void {
  localStorage.setItem(storageKey, JSON.stringify({ accessToken, refreshToken }))
}

export function removePair(): void {
  localStorage.removeItem(storageKey)
}

/** Runs when another tab logs in, out or renews. */
export function onOtherTab(react: () => void): void {
  addEventListener('storage', (event) => {
    if (event.key === storageKey || event.key === null) react()
  })
}

/** The CSRF token of writes; null until the site has issued it. */
export function csrfToken(): string | null {
  return /(?:^|;\s*)cms_token=([^;]+)/.exec(document.cookie)?.[1] ?? null
}
