import { useLoaderData, useSearchParams } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Unsaved } from '#base/admin/unsaved.tsx'
import { useApi } from '#base/web/api.ts'
import { Form, Submit } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { say } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { SettingField } from '#setting/admin/setting-field.tsx'
import { groupWord } from '#setting/admin/group-word.ts'
import { changeSettings, settingGroups, type baseInfo, type listSettings, type SettingGroup } from '#setting/contract.ts'
import { site } from '#setting/web/setting.tsx'
import css from '#setting/admin/settings.module.css'

const names = Object.keys(settingGroups) as SettingGroup[]

export function Page() {
  const words = useWords('settingAdmin')
  const [asked] = useSearchParams()
  const group = names.find((name) => name === asked.get('group')) ?? groupWith(asked.get('setting')) ?? names[0] ?? 'site'
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
  const { settings, readAt } = useLoaderData<Output<typeof listSettings>>()
  const api = useApi()
  const known = new Map(settings.map((one) => [one.name, one]))

  function saved(): void {
    say(words('saved'))
    api.read<typeof baseInfo>('/baseInfo', {}, { silent: true, background: true }).then(
      (now) => site.set(now),
      (error: unknown) => console.info('What the frame says of the site may be old', error),
    )
  }

  return (
    <section aria-labelledby="group" className={css.group}>
      <h2 id="group">{words(groupWord(group))}</h2>
      {/* As it was read: what is saved or returned is shown anew. */}
      <Form key={readAt} sends={changeSettings} along={{ seenAt: readAt }} then={saved}>
        <Unsaved />
        {settingGroups[group].map((name) => {
          const setting = known.get(name)
          return setting && <SettingField key={name} name={name} setting={setting} />
        })}
        <Submit>{words('save')}</Submit>
      </Form>
    </section>
  )
}
