import { VersionConflict } from '#base/admin/version-conflict.tsx'
import type { Output } from '#base/contract.ts'
import { useTranslate, useWords } from '#base/web/words.tsx'
import { actorName, formatValue } from '#setting/admin/setting-words.ts'
import { linesIn, settingGroups, type listSettings, type SettingGroup, type AnySetting, wordOf } from '#setting/staff-contract.ts'
import css from '#setting/admin/settings.module.css'

export type SettingList = Output<typeof listSettings>
type SettingRow = SettingList['settings'][number]

/** A conflict between two editors of a group: `was` is the value as read, `theirs` the saved one, `mine` the one in the form. */
export type Conflict = { name: AnySetting; was: SettingRow; theirs: SettingRow; mine: unknown }

export function conflictsIn(group: SettingGroup, before: SettingList, now: SettingList, form: HTMLFormElement): Conflict[] {
  return editsIn(group, before, form).flatMap(({ name, was, mine }) => {
    const theirs = now.settings.find((one) => one.name === name)
    if (!theirs || !differ(theirs.value, was.value) || !differ(mine, was.value) || !differ(mine, theirs.value)) return []
    return { name, was, theirs, mine }
  })
}

/** The current values, with the edits of the form applied. */
export function withEdits(group: SettingGroup, before: SettingList, now: SettingList, form: HTMLFormElement): SettingList {
  const typed = new Map<string, unknown>(
    editsIn(group, before, form).flatMap(({ name, was, mine }) => (differ(mine, was.value) ? [[name, mine] as const] : [])),
  )
  return { ...now, settings: now.settings.map((one) => (typed.has(one.name) ? { ...one, value: typed.get(one.name) } : one)) }
}

type SettingsConflictProps = { said: string; conflicts: readonly Conflict[]; keepMine: () => void; takeTheirs: () => void }

export function SettingsConflict({ conflicts, ...choice }: SettingsConflictProps) {
  const words = useWords('settingAdmin')
  const say = useTranslate()
  return (
    <VersionConflict {...choice}>
      <dl className={css.clash}>
        {conflicts.map(({ name, was, theirs, mine }) => (
          <div key={name}>
            <dt>{say(wordOf(name))}</dt>
            <dd>
              <span className="meta">{words('was')}</span> {formatValue(name, was.value, say)}
            </dd>
            <dd>
              <span className="meta">
                {theirs.changed ? words('theirsBy', { by: actorName(theirs.changed.by, say) }) : words('theirs')}
              </span>{' '}
              {formatValue(name, theirs.value, say)}
            </dd>
            <dd>
              <span className="meta">{words('mine')}</span> {formatValue(name, mine, say)}
            </dd>
          </div>
        ))}
      </dl>
    </VersionConflict>
  )
}

function editsIn(group: SettingGroup, before: SettingList, form: HTMLFormElement) {
  return settingGroups[group].flatMap((name) => {
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
