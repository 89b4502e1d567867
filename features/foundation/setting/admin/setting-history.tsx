import { useEffect, useState } from 'react'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Skeleton } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useTranslate, useWords } from '#base/web/words.tsx'
import { formValue, actorName, isLong, formatValue } from '#setting/admin/setting-words.ts'
import {
  isWriteOnly,
  wordOf,
  type changeSettings,
  type returnSetting,
  type settingHistory,
  type AnySetting,
} from '#setting/staff-contract.ts'
import css from '#setting/admin/settings.module.css'

type Change = Output<typeof settingHistory>['changes'][number]
type SettingState = { value: unknown; default: unknown; changed: { at: string; by: string } | null; isSet: boolean | null }

/** The last editor of a setting, its earlier values, and buttons to restore them. */
export function LastChange({
  name,
  setting: { value, default: initial, changed, isSet },
  seenAt,
}: {
  name: AnySetting
  setting: SettingState
  seenAt: string
}) {
  const words = useWords('settingAdmin')
  const say = useTranslate()
  const back = useAction<typeof returnSetting>('/admin/setting/return')
  const [isOpen, setOpen] = useState(false)
  if (!changed) return null
  return (
    <div className={css.beside}>
      <span>
        {words('changedBy', { by: actorName(changed.by, say) })} <Time at={changed.at} />
      </span>
      {(isSet ?? !areSame(value, initial)) && (
        <button type="button" className="plain" onClick={() => void back.run({ name, seenAt }, { message: words('returned') })}>
          {words(isSet ? 'forgetSecret' : 'giveBack')}
        </button>
      )}
      <button type="button" className="plain" onClick={() => setOpen(true)}>
        {words('history')}
      </button>
      <Dialog title={words('historyOf', { name: say(wordOf(name)) })} isOpen={isOpen} close={() => setOpen(false)}>
        <History name={name} now={value} seenAt={seenAt} />
      </Dialog>
    </div>
  )
}

function History({ name, now, seenAt }: { name: AnySetting; now: unknown; seenAt: string }) {
  const words = useWords('settingAdmin')
  const say = useTranslate()
  const api = useApi()
  const [changes, setChanges] = useState<Change[] | null>(null)
  useEffect(() => {
    // The call itself reports a failure.
    api.read<typeof settingHistory>('/admin/setting/history', { name }).then(
      ({ changes }) => setChanges(changes),
      (error: unknown) => console.info('The history did not come', error),
    )
  }, [api, name])
  if (!changes) return <Skeleton lines={3} />
  if (changes.length === 0) return <p>{words('noHistory')}</p>
  return (
    <ul className={css.history}>
      {changes.map((change) => (
        <li key={change.at}>
          <Time at={change.at} /> {actorName(change.by, say)}:{' '}
          {isWriteOnly(name) ? words('changedIt') : <ChangedValues name={name} change={change} />}{' '}
          {!isWriteOnly(name) && !areSame(change.before, now) && <RestoreButton name={name} before={change.before} seenAt={seenAt} />}
        </li>
      ))}
    </ul>
  )
}

function ChangedValues({ name, change: { before, after } }: { name: AnySetting; change: Change }) {
  const words = useWords('settingAdmin')
  const say = useTranslate()
  const [was, is] = [before, after].map((value) => formatValue(name, value, say))
  if (!isLong(was) && !isLong(is)) return words('fromTo', { before: was ?? '', after: is ?? '' })
  return (
    <details>
      <summary>{words('changedIt')}</summary>
      <strong>{words('wasBefore')}</strong>
      <pre>{formValue(before) || was}</pre>
      <strong>{words('isAfter')}</strong>
      <pre>{formValue(after) || is}</pre>
    </details>
  )
}

function RestoreButton({ name, before, seenAt }: { name: AnySetting; before: unknown; seenAt: string }) {
  const words = useWords('settingAdmin')
  const change = useAction<typeof changeSettings>('/admin/setting/change')
  return (
    <button
      type="button"
      className="plain"
      disabled={change.isBusy}
      onClick={() => void change.run({ [name]: formValue(before), seenAt }, { message: words('changedBack') })}
    >
      {words('changeBack')}
    </button>
  )
}

function areSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
