import { useNavigation } from 'react-router'
import { KeysButton } from '#base/admin/keys-button.tsx'
import { Link } from '#base/web/link.tsx'
import { helpIsOpen, useKeyBuffer, useShortcuts } from '#base/web/shortcuts.ts'
import { useWords } from '#base/web/words.tsx'
import type { QueueNavigation, ReviewQueue } from '#report/admin/queue-navigation.ts'
import css from '#report/admin/report.module.css'

const keysOf = { reports: 'keysOfCase', appeals: 'keysOfAppeal' } as const

/** Above an item of a queue: links to its neighbours, and the list of its keyboard shortcuts. */
export function QueueBar({ walk: { way, previous, next, place, all, back, go }, decides }: { walk: QueueNavigation; decides: boolean }) {
  const words = useWords('reportAdmin')
  const to = (path: string | null) => void (path && go(path))
  useKeyBuffer(useNavigation().state !== 'idle')
  useShortcuts(`reportAdmin.${way.title}`, [
    { keys: 'j', label: 'reportAdmin.next', run: () => to(next) },
    { keys: 'k', label: 'reportAdmin.previous', run: () => to(previous) },
    { keys: 'u', label: 'reportAdmin.toList', run: () => to(back) },
    { keys: '?', label: 'keys.help', run: () => helpIsOpen.set(true) },
  ])
  return (
    <nav className={css.walk} aria-label={words(way.title)}>
      <Link to={back}>{words(way.title)}</Link>
      {place > 0 && <span className="meta">{words('place', { place, all })}</span>}
      {previous && <Link to={previous}>{words('previous')}</Link>}
      {next && <Link to={next}>{words('next')}</Link>}
      <KeysButton>{words(decides ? keysOf[way.title] : 'keysOfWalk')}</KeysButton>
    </nav>
  )
}

/** Lists and handles the shortcuts of a list whose lines are links marked `data-line`. */
export function ListKeys({ way }: { way: ReviewQueue }) {
  const words = useWords('reportAdmin')
  useKeyBuffer(useNavigation().state !== 'idle')
  useShortcuts(`reportAdmin.${way.title}`, [
    { keys: 'j', label: 'reportAdmin.next', run: () => step(1) },
    { keys: 'k', label: 'reportAdmin.previous', run: () => step(-1) },
    { keys: 'o', label: 'reportAdmin.openIt', run: () => (lines().find((line) => line === document.activeElement) ?? lines()[0])?.click() },
    { keys: '?', label: 'keys.help', run: () => helpIsOpen.set(true) },
  ])
  return <KeysButton>{words('keysOfList')}</KeysButton>
}

function lines(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('a[data-line]')]
}

function step(by: 1 | -1): void {
  const all = lines()
  const at = all.findIndex((line) => line === document.activeElement)
  all[Math.min(Math.max(at + by, 0), all.length - 1)]?.focus()
}
