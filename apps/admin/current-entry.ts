import type { Screen } from '#base/admin/screen.ts'

/** The current menu entry: only the nearest one above the current address. */
export function currentEntry(
  menu: readonly Pick<Screen, 'path'>[],
  all: readonly Pick<Screen, 'path' | 'under'>[],
  pathname: string,
): string | null {
  const place = all.find(({ path }) => path === pathname)?.under ?? pathname
  const above = menu.map(({ path }) => path).filter((path) => place === path || place.startsWith(`${path}/`))
  return above.toSorted((one, other) => other.length - one.length)[0] ?? null
}
