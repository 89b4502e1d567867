import type { logout } from '#account/contract.ts'
import type { Api } from '#base/contract.ts'
import { CallFailed } from '#base/web/call.ts'

const storageKey = 'bbsRevoke'
const retryMs = 30_000

/**
 * Ends the session of a refresh token that this browser discards. False while the site is unreachable: then the token's hash, which can
 * only end the session, is stored until a page of this browser reaches the site.
 */
export async function revoke(api: Api, refreshToken: string): Promise<boolean> {
  // Without a secure context there is no hashing, so the site is told once.
  if (!isSecureContext) return requestRevocation(api, refreshToken)
  storeHashes([...pendingHashes(), await hashOf(refreshToken)])
  return revokePending(api)
}

let retry = 0

/** Ends the sessions whose logout did not reach the site. */
export async function revokePending(api: Api): Promise<boolean> {
  clearTimeout(retry)
  const results = await Promise.all(pendingHashes().map(async (hash) => ({ hash, isTold: await requestRevocation(api, hash) })))
  storeHashes(pendingHashes().filter((hash) => !results.some((one) => one.isTold && one.hash === hash)))
  const isDone = results.every(({ isTold }) => isTold)
  if (!isDone) retry = window.setTimeout(() => void revokePending(api), retryMs)
  return isDone
}

async function requestRevocation(api: Api, token: string): Promise<boolean> {
  try {
    await api.write<typeof logout>('/account/logout', { token }, { silent: true, background: true, keepalive: true })
    return true
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error
    // The site refused it for good.
    return error.status >= 400 && error.status < 500 && error.status !== 429
  }
}

async function hashOf(token: string): Promise<string> {
  const bits = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return btoa(String.fromCharCode(...new Uint8Array(bits)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
}

function pendingHashes(): string[] {
  return (localStorage.getItem(storageKey) ?? '').split(' ').filter(Boolean)
}

function storeHashes(hashes: readonly string[]): void {
  if (hashes.length > 0) localStorage.setItem(storageKey, [...new Set(hashes)].join(' '))
  else localStorage.removeItem(storageKey)
}
