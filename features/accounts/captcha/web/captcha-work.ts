import type { CaptchaWork } from '#captcha/contract.ts'

const batchSize = 8

/** Browsers only hash in a secure context. */
export const canWork = (): boolean => 'subtle' in crypto

/**
 * Finds the number of a captcha by trying all, which takes a few seconds; the callback gets the share that is tried, and 1 once it is
 * found.
 */
export async function findNumber(
  captchaId: string,
  { target, iterations, most }: CaptchaWork,
  { onProgress, signal }: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<number> {
  for (let first = 1; first <= most; first += batchSize) {
    signal.throwIfAborted()
    const numbers = Array.from({ length: batchSize }, (_, index) => first + index)
    const found = await Promise.all(numbers.map((number) => derived(number, captchaId, iterations)))
    const index = found.indexOf(target)
    if (index >= 0) {
      onProgress(1)
      return first + index
    }
    onProgress(first / most)
  }
  throw new Error('No number of this captcha fits')
}

async function derived(number: number, captchaId: string, iterations: number): Promise<string> {
  const bytes = new TextEncoder()
  const key = await crypto.subtle.importKey('raw', bytes.encode(String(number)), 'PBKDF2', false, ['deriveBits'])
  const bits = await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt: bytes.encode(captchaId), iterations }, key, 256)
  return btoa(String.fromCharCode(...new Uint8Array(bits)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
