import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { toast } from '#base/web/toast.tsx'
import { Time } from '#base/web/time.tsx'
import { useTranslate, useWords } from '#base/web/words.tsx'
import { DurationField } from '#member/admin/duration-field.tsx'
import { banMember, type liftBan, type Member } from '#member/contract.ts'
import { banLabel, functions } from '#role/all-rights.ts'
import { useSite } from '#setting/web/setting.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#member/admin/member.module.css'

type Ban = Member['bans'][number]

export function Bans({ member }: { member: Member }) {
  const words = useWords('memberAdmin')
  const [query] = useSearchParams()
  const may = mayDo('member.ban') && !member.isOfficial
  const [isOpen, setOpen] = useState(may && query.get('open') === 'ban')
  return (
    <>
      <p className="meta">{words('bansWhat')}</p>
      {may && (
        <p>
          <button type="button" className="button" onClick={() => setOpen(true)}>
            {words('ban')}
          </button>
        </p>
      )}
      {member.bans.length === 0 && <p className="empty">{words('noBans')}</p>}
      <ul className={css.rows}>
        {member.bans.map((ban) => (
          <BanLine key={ban.id} ban={ban} may={may} />
        ))}
      </ul>
      <Dialog title={words('banTitle', { name: member.nickname ?? member.account })} isOpen={isOpen} close={() => setOpen(false)}>
        <Form
          endpoint={banMember}
          extra={{ memberId: member.id }}
          onSuccess={() => {
            setOpen(false)
            toast(words('banned'))
          }}
        >
          <BanFields />
          <Submit danger>{words('ban')}</Submit>
        </Form>
      </Dialog>
    </>
  )
}

/** The functions, duration and reason of a ban. */
export function BanFields() {
  const words = useWords('memberAdmin')
  const fromWhat = useFunctionName()
  return (
    <>
      <fieldset className={css.ticks}>
        <legend>{words('banFrom')}</legend>
        {functions.map((one, place) => (
          <label key={one}>
            <input type="checkbox" name="from" value={one} data-first={place === 0 || undefined} /> {fromWhat(one)}
          </label>
        ))}
      </fieldset>
      <DurationField usual={7} />
      <TextField name="reason" label={words('reason')} help={words('banReasonHelp')} maxLength={500} required />
    </>
  )
}

export function useFunctionName(): (from: string) => string {
  const translate = useTranslate()
  const { allowCash } = useSite()
  return (from) => translate(banLabel(from), { allowCash: String(allowCash) })
}

function BanLine({ ban, may }: { ban: Ban; may: boolean }) {
  const words = useWords('memberAdmin')
  const fromWhat = useFunctionName()
  const lift = useAction<typeof liftBan>('/admin/member/liftBan')
  return (
    <li className={ban.isRunning ? undefined : css.over}>
      <div>
        <p>
          <strong>{fromWhat(ban.from)}</strong> · <bdi>{ban.reason}</bdi>
        </p>
        <span className="meta">
          {ban.givenBy}, <Time at={ban.givenAt} /> · <BanEnd ban={ban} />
        </span>
      </div>
      {ban.isRunning && may && (
        <button
          type="button"
          className="button quiet"
          disabled={lift.isBusy}
          onClick={() => void lift.run({ banId: ban.id }, { message: words('lifted') })}
        >
          {words('lift')}
        </button>
      )}
    </li>
  )
}

function BanEnd({ ban: { endsAt, liftedAt, liftedBy, isRunning } }: { ban: Ban }) {
  const words = useWords('memberAdmin')
  if (liftedBy && liftedAt)
    return (
      <>
        {words('liftedBy', { by: liftedBy })} <Time at={liftedAt} />
      </>
    )
  if (!endsAt) return words('forGood')
  return (
    <>
      {words(isRunning ? 'until' : 'ended')} <Time at={endsAt} />
    </>
  )
}
