import { useState } from 'react'
import { useAction } from '#base/web/action.ts'
import { useWords } from '#base/web/words.tsx'
import type { changePush, PushView } from '#notification/push-contract.ts'
import css from '#notification/web/notice.module.css'

type Quiet = PushView['quiet']

const usual = { from: 22, to: 8 }

export function QuietHours({ quiet: was, timeZone }: { quiet: Quiet; timeZone: string }) {
  const words = useWords('notification')
  const { isBusy, run } = useAction<typeof changePush>('/user/control/changeNotificationPush')
  const [quiet, turn] = useState(was)

  async function choose(choice: Quiet): Promise<void> {
    turn(choice)
    if ((await run(choice ? { quiet: choice } : {}, { message: words('saved') })) === undefined) turn(quiet)
  }

  return (
    <>
      <label className={css.tick}>
        <input
          type="checkbox"
          checked={quiet !== null}
          disabled={isBusy}
          onChange={({ target }) => void choose(target.checked ? usual : null)}
        />{' '}
        {words('quiet')}
      </label>
      {quiet && (
        <>
          <Hour
            label={words('quietFrom')}
            hour={quiet.from}
            excluded={quiet.to}
            isBusy={isBusy}
            choose={(from) => void choose({ ...quiet, from })}
          />{' '}
          <Hour
            label={words('quietTo')}
            hour={quiet.to}
            excluded={quiet.from}
            isBusy={isBusy}
            choose={(to) => void choose({ ...quiet, to })}
          />
          <p className="meta">{words('quietHelp', { zone: timeZone })}</p>
        </>
      )}
    </>
  )
}

type HourProps = { label: string; hour: number; excluded: number; isBusy: boolean; choose: (hour: number) => void }

function Hour({ label, hour, excluded, isBusy, choose }: HourProps) {
  const words = useWords('notification')
  const hours = Array.from({ length: 24 }, (_, one) => one).filter((one) => one !== excluded)
  return (
    <label>
      {label}{' '}
      <select value={hour} disabled={isBusy} onChange={({ target }) => choose(Number(target.value))}>
        {hours.map((one) => (
          <option key={one} value={one}>
            {words('hourOf', { hour: one })}
          </option>
        ))}
      </select>
    </label>
  )
}
