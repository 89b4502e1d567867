import { screens } from '#apps/admin/screens.ts'
import type { Screen } from '#base/admin/screen.ts'
import { matchesWords } from '#base/admin/matches-words.ts'
import type { Translate } from '#base/web/words.tsx'

/** The screens that match by name in any of the languages, then by alias; whole words first. */
export function findScreens(typed: string, says: readonly Translate[]): Screen[] {
  const inMenu = screens.filter(({ group, right }) => group ?? right === 'self')
  const called = inMenu.filter(({ path, title }) => matchesWords(typed, [path, ...says.map((say) => say(title))]))
  const also = inMenu.filter(({ aliases = '' }) => matchesWords(typed, [aliases]))
  const wholly = also.filter(({ aliases }) => aliases?.split(' ').includes(typed.toLowerCase()))
  return [...new Set([...called, ...wholly, ...also])]
}
