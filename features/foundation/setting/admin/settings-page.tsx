import { useRef, useState } from 'react'
import { useLoaderData, useSearchParams } from 'react-router'
import { offeredLanguages } from '#base/admin/in-languages.tsx'
import { ConflictSide } from '#base/admin/conflict-side.ts'
import type { Api } from '#base/contract.ts'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import { useApi } from '#base/web/api.ts'
import { Form, Submit } from '#base/web/form.tsx'
import { readFormValues } from '#base/web/form-values.ts'
import { Link } from '#base/web/link.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { SettingField } from '#setting/admin/setting-field.tsx'
import { unavailableFor } from '#setting/admin/needs-codes.tsx'
import { conflictsIn, SettingsConflict, withEdits, type Conflict, type SettingList } from '#setting/admin/settings-conflict.tsx'
import { visibleSettings } from '#setting/admin/visible-settings.ts'
import { previews } from '#setting/admin/setting.tsx'
import { groupWord } from '#setting/admin/group-word.ts'
import type { baseInfo, SettingGroup } from '#setting/contract.ts'
import { changeSettings, settingGroups, type listSettings } from '#setting/staff-contract.ts'
import { site } from '#setting/web/setting.tsx'
import css from '#setting/admin/settings.module.css'

const names = Object.keys(settingGroups) as SettingGroup[]

export function Page() {
  const words = useWords('settingAdmin')
  const [query] = useSearchParams()
  const group = names.find((name) => name === query.get('group')) ?? groupWith(query.get('setting')) ?? names[0] ?? 'site'
  return (
    <>
      <h1>{words('settings')}</h1>
      <p className="meta">{words('what')}</p>
      <div className={css.page}>
        <nav aria-label={words('groups')} className={css.groups}>
          {names.map((name) => (
            <Link key={name} to={`/admin/setting?group=${name}`} aria-current={name === group ? 'page' : undefined}>
              {words(groupWord(name))}
            </Link>
          ))}
        </nav>
        <Group key={group} group={group} />
      </div>
    </>
  )
}

function groupWith(setting: string | null): SettingGroup | undefined {
  return names.find((name) => (settingGroups[name] as readonly string[]).includes(setting ?? ''))
}

function Group({ group }: { group: SettingGroup }) {
  const words = useWords('settingAdmin')
  return (
    <section aria-labelledby="group" className={css.group}>
      <h2 id="group">{words(groupWord(group))}</h2>
      <GroupForm group={group} />
    </section>
  )
}

/** The form of a group. Saved and restored values are rendered again; conflicts are resolved first. */
function GroupForm({ group }: { group: SettingGroup }) {
  const words = useWords('settingAdmin')
  const now = useLoaderData<SettingList>()
  const api = useApi()
  const box = useRef<HTMLDivElement>(null)
  const [{ read, isMine }, show] = useState({ read: now, isMine: false })
  const [clash, setClash] = useState<{ said: string; now: SettingList; conflicts: readonly Conflict[] } | null>(null)
  if (now.readAt > read.readAt) show({ read: now, isMine: false })

  const form = () => box.current?.querySelector('form')

  function refused(message: string): void {
    api.read<typeof listSettings>('/admin/setting/list', {}).then(
      (found) => {
        const mine = form()
        if (mine) setClash({ said: message, now: found, conflicts: conflictsIn(group, read, found, mine) })
      },
      (error: unknown) => console.info('What they made of it did not come', error),
    )
  }

  function goOn(from: SettingList, withMineInIt: boolean): void {
    show({ read: from, isMine: withMineInIt })
    setClash(null)
  }

  function keepMine(): void {
    const mine = form()
    if (clash && mine) goOn(withEdits(group, read, clash.now, mine), true)
  }

  return (
    <div ref={box}>
      {clash && <SettingsConflict {...clash} keepMine={keepMine} takeTheirs={() => goOn(clash.now, false)} />}
      <ConflictSide value={{ refused }}>
        <Form key={read.readAt} endpoint={changeSettings} extra={{ seenAt: read.readAt }} onSuccess={() => saved(api, words)}>
          <UnsavedGuard hasChanges={isMine} />
          <Fields group={group} read={read} />
          <Submit>{words('save')}</Submit>
        </Form>
      </ConflictSide>
      <GroupPreview group={group} form={form} />
    </div>
  )
}

function Fields({ group, read }: { group: SettingGroup; read: SettingList }) {
  const offered = offeredLanguages.use()
  const known = new Map(read.settings.map((one) => [one.name, one]))
  const timeZone = String(known.get('timeZone')?.value)
  return visibleSettings(group, { isOn: (name) => known.get(name)?.value === true, offered }).map((name) => {
    const setting = known.get(name)
    return (
      setting && (
        <SettingField key={name} {...{ name, setting, timeZone }} seenAt={read.readAt} unsent={unavailableFor(name, read.unsent)} />
      )
    )
  })
}

type GroupPreviewProps = { group: SettingGroup; form: () => HTMLFormElement | null | undefined }

/** A preview of the forum with the unsaved values. */
function GroupPreview({ group, form }: GroupPreviewProps) {
  const Preview = previews.get()[group]

  function wanted(): Record<string, unknown> {
    const its = form()
    return its ? readFormValues(its, changeSettings.input) : {}
  }

  return Preview && <Preview wanted={wanted} />
}

function saved(api: Api, words: Translate): void {
  toast(words('saved'))
  api.read<typeof baseInfo>('/baseInfo', {}, { silent: true, background: true }).then(
    (now) => site.set(now),
    (error: unknown) => console.info('What the frame says of the site may be old', error),
  )
}
