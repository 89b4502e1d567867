import { alsoCalled } from '#apps/admin/also-called.ts'
import type { Screen } from '#apps/admin/screen.ts'
import { screens } from '#apps/admin/screens.ts'
import { isMeant } from '#base/admin/is-meant.ts'
import type { Say } from '#base/web/words.tsx'

/** The screens that match by name in any of the languages, then by alias; whole words first. */
export function screensFor(typed: string, says: readonly Say[]): Screen[] {
  const inMenu = screens.filter(({ group, right }) => group ?? right === 'self')
  const called = inMenu.filter(({ path, title }) => isMeant(typed, [path, ...says.map((say) => say(title))]))
  const also = inMenu.filter(({ path }) => isMeant(typed, [alsoCalled[path] ?? '']))
  const wholly = also.filter(({ path }) => alsoCalled[path]?.split(' ').includes(typed.toLowerCase()))
  return [...new Set([...called, ...wholly, ...also])]
}
