import { useState } from 'react'
import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { useTranslate, useWords } from '#base/web/words.tsx'
import { labelOf } from '#notification/all-kinds.ts'
import type { changeNotificationSetting, notificationSettings } from '#notification/notification-contract.ts'
import { MailSettings } from '#notification/web/mail-settings.tsx'
import { PushSettings } from '#notification/web/push-settings.tsx'
import css from '#notification/web/notice.module.css'

type Settings = Output<typeof notificationSettings>
type Kind = Settings['kinds'][number]

/** The settings of notifications: kinds by channel. */
export function Page() {
  const words = useWords('notification')
  const { kinds, email, push, timeZone } = useLoaderData<Settings>()
  return (
    <section className="column">
      <p className="meta">{words('settingsHelp')}</p>
      {email && <MailSettings email={email} timeZone={timeZone} />}
      <PushSettings push={push} timeZone={timeZone} />
      <table className={css.settings}>
        <thead>
          <tr>
            <th scope="col">{words('about')}</th>
            <th scope="col">{words('inForum')}</th>
            {email && <th scope="col">{words('byEmail')}</th>}
            <th scope="col">{words('byPush')}</th>
          </tr>
        </thead>
        <tbody>
          {kinds.map((row) => (
            <Row key={row.kind} row={row} mail={email && { isBound: email.bound !== null }} mayPush={push.browsers.length > 0} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

type RowProps = { row: Kind; mail: { isBound: boolean } | null; mayPush: boolean }

function Row({ row: { kind, forum, email, push }, mail, mayPush }: RowProps) {
  const words = useWords('notification')
  const translate = useTranslate()
  const [isInForum, turn] = useState(forum)
  const label = translate(labelOf(kind))
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>
        {isInForum !== null && (
          <Tick label={`${label}: ${words('inForum')}`} isOn={isInForum} asks={(forum) => ({ kind, forum })} turned={turn} />
        )}
      </td>
      {mail && (
        <td>
          <Tick
            label={`${label}: ${words('byEmail')}`}
            isOn={email && isInForum !== false}
            isOff={!mail.isBound || isInForum === false}
            asks={(email) => ({ kind, email })}
          />
        </td>
      )}
      <td>
        <Tick
          label={`${label}: ${words('byPush')}`}
          isOn={push && isInForum !== false}
          isOff={!mayPush || isInForum === false}
          asks={(push) => ({ kind, push })}
        />
      </td>
    </tr>
  )
}

type TickProps = {
  label: string
  isOn: boolean
  /** It cannot be chosen now. */
  isOff?: boolean
  asks: (isOn: boolean) => Pick<Kind, 'kind'> & { forum?: boolean; email?: boolean; push?: boolean }
  turned?: (isOn: boolean) => void
}

function Tick({ label, isOn: was, isOff = false, asks, turned }: TickProps) {
  const words = useWords('notification')
  const { isBusy, run } = useAction<typeof changeNotificationSetting>('/user/control/changeNotificationSetting')
  const [isOn, turn] = useState(was)

  async function choose(choice: boolean): Promise<void> {
    turn(choice)
    if ((await run(asks(choice), { message: words('saved') })) === undefined) turn(!choice)
    else turned?.(choice)
  }

  return (
    <label>
      <input
        type="checkbox"
        aria-label={label}
        checked={isOn}
        disabled={isBusy || isOff}
        onChange={({ target }) => void choose(target.checked)}
      />
    </label>
  )
}
