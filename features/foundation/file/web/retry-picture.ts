import { randomDigits } from '#base/random-digits.ts'

const waitsMs = [2_000, 6_000, 18_000]

/** How often a picture was asked for again. Another key or size does not start the count anew. */
const retries = new WeakMap<HTMLImageElement, { path: string; count: number }>()

/** Asks for a picture of the site again that did not load: a few times, after longer each time. */
export function retryLater(image: HTMLImageElement): void {
  const address = addressOf(image)
  const [path = ''] = address.split('?')
  const before = retries.get(image)
  const count = before?.path === path ? before.count : 0
  const waitMs = waitsMs[count]
  if (waitMs === undefined || !address.startsWith(`${location.origin}/`)) return
  retries.set(image, { path, count: count + 1 })
  // Pictures that a busy server turned away together would come again together.
  setTimeout(() => askAgain(image, address, count), waitMs + Number(randomDigits(3)))
}

function askAgain(image: HTMLImageElement, address: string, count: number): void {
  if (!image.isConnected || image.naturalWidth > 0 || addressOf(image) !== address) return
  if (mayComeLater(address) ?? count === 0) image.setAttribute('src', image.getAttribute('src') ?? '')
}

function addressOf({ currentSrc, src }: HTMLImageElement): string {
  return currentSrc || src
}

/** Null where the browser does not tell the status. */
function mayComeLater(address: string): boolean | null {
  const [last] = performance.getEntriesByName(address).slice(-1) as PerformanceResourceTiming[]
  const status = last?.responseStatus ?? 0
  return status === 0 ? null : status >= 500 || status === 429
}
