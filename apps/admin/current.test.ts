import { expect, test } from 'vitest'
import { currentEntry } from '#apps/admin/current-entry.ts'
import { screens } from '#apps/admin/screens.ts'

const menu = screens.filter(({ group }) => group)
const outside = ['/admin/self']

test.each(menu.map(({ path }) => [path]))('at %s, its own entry of the menu is the current one', (path) => {
  expect(currentEntry(menu, screens, path)).toBe(path)
})

test.each(screens.filter(({ group, path }) => !group && !outside.includes(path)).map(({ path }) => [path]))(
  'at %s, which is not in the menu, one entry is the current one',
  (path) => {
    const current = currentEntry(menu, screens, path)
    expect(menu.map((screen) => screen.path)).toContain(current)
  },
)

test('pages of one’s own account, and an address with the same beginning, have none; a shorter menu has the nearest', () => {
  for (const path of [...outside, '/admin/deliveryman', '/admin']) expect(currentEntry(menu, screens, path)).toBe(null)
  const fewer = menu.filter(({ path }) => path !== '/admin/delivery/log')
  expect(currentEntry(fewer, screens, '/admin/delivery/log')).toBe('/admin/delivery')
})
