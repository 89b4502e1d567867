import type { Location } from 'react-router'

const last = new Map<string, string>()

/** By what it is known how far down a page one was. Every address that is typed has the same key, and would begin where the one before it was left. */
export function placeOf({ key, pathname, search, state }: Location): string {
  const path = pathname + search
  // Whoever logged in stands where they stood before.
  const place = (state?.isBack && last.get(path)) || (key === 'default' ? path : key)
  last.set(path, place)
  return place
}
