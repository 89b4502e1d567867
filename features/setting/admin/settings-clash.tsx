import { Clash } from '#base/admin/clash.tsx'
import type { Output } from '#base/contract.ts'
import { useWords } from '#base/web/words.tsx'
import { hand, sayValue } from '#setting/admin/said-of.ts'
import { linesIn, settingGroups, type listSettings, type SettingGroup, type AnySetting } from '#setting/contract.ts'
import css from '#setting/admin/settings.module.css'

export type Read = Output<typeof listSettings>
type One = Read['settings'][number]

/** A conflict between two editors of a group: `was` is the value as read, `theirs` the saved one, `mine` the one in the form. */
export type Quarrel = { name: AnySetting; was: One; theirs: One; mine: unknown }

export function quarrels(group: SettingGroup, before: Read, now: Read, form: HTMLFormElement): Quarrel[] {
  return typedIn(group, before, form).flatMap(({ name, was, mine }) => {
    const theirs = now.settings.find((one) => one.name === name)
    if (!theirs || !differ(theirs.value, was.value) || !differ(mine, was.value) || !differ(mine, theirs.value)) return []
    return { name, was, theirs, mine }
  })
}

/** The current values, with the edits of the form applied. */
export function withMine(group: SettingGroup, before: Read, now: Read, form: HTMLFormElement): Read {
  const typed = new Map<string, unknown>(
    typedIn(group, before, form).flatMap(({ name, was, mine }) => (differ(mine, was.value) ? [[name, mine] as const] : [])),
  )
  return { ...now, settings: now.settings.map((one) => (typed.has(one.name) ? { ...one, value: typed.get(one.name) } : one)) }
}

type SettingsClashProps = { said: string; quarrels: readonly Quarrel[]; keepMine: () => void; takeTheirs: () => void }

export function SettingsClash({ quarrels, ...choice }: SettingsClashProps) {
  const words = useWords('settingAdmin')
  return (
    <Clash {...choice}>
      <dl className={css.clash}>
        {quarrels.map(({ name, was, theirs, mine }) => (
          <div key={name}>
            <dt>{words(name)}</dt>
            <dd>
              <span className="meta">{words('was')}</span> {sayValue(name, was.value, words)}
            </dd>
            <dd>
              <span className="meta">{theirs.changed ? words('theirsBy', { by: hand(theirs.changed.by, words) }) : words('theirs')}</span>{' '}
              {sayValue(name, theirs.value, words)}
            </dd>
            <dd>
              <span className="meta">{words('mine')}</span> {sayValue(name, mine, words)}
            </dd>
          </div>
        ))}
      </dl>
    </Clash>
  )
}

function typedIn(group: SettingGroup, before: Read, form: HTMLFormElement) {
  return (settingGroups[group] as readonly AnySetting[]).flatMap((name) => {
    const was = before.settings.find((one) => one.name === name)
    const control = form.elements.namedItem(name)
    return was && control instanceof Element ? { name, was, mine: valueIn(control, was.value) } : []
  })
}

function valueIn(control: Element, like: unknown): unknown {
  if (control instanceof HTMLInputElement && control.type === 'checkbox') return control.checked
  if (!('value' in control)) return like
  const text = String(control.value)
  return Array.isArray(like) ? linesIn(text) : text
}

function differ(one: unknown, other: unknown): boolean {
  return String(one) !== String(other)
}
