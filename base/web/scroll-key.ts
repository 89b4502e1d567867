import type { Location } from 'react-router'

const lastKeys = new Map<string, string>()

/** The key of a stored scroll position. All typed addresses have the same history key, so they use their path instead. */
export function scrollKey({ key, pathname, search, state }: Location): string {
  const path = pathname + search
  // After a login the page scrolls to where it was before.
  const place = (state?.isBack && lastKeys.get(path)) || (key === 'default' ? path : key)
  lastKeys.set(path, place)
  return place
}
