import type { Location } from 'react-router'

// Every address that is typed has the same key, and would begin where the one before it was left.
export function placeOf({ key, pathname, search }: Location): string {
  return key === 'default' ? pathname + search : key
}
