import { useState, type ReactNode } from 'react'
import { useLoaderData, useNavigate } from 'react-router'
import { member } from '#account/web/account.tsx'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { toast } from '#base/web/toast.tsx'
import { removePair } from '#base/web/token.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { leave, type leaving, type stay } from '#leaving/contract.ts'
import css from '#leaving/web/leave-page.module.css'
import { userInfoVersion } from '#setting/web/setting.tsx'
import { amountText } from '#wallet/web/wallet.tsx'

type LeavingData = Output<typeof leaving>
type LeaveMethod = 'away' | 'erase'

/** Leaves for a while or permanently, after an explanation of the consequences. */
export function Page() {
  const words = useWords('leaving')
  const its = useLoaderData<LeavingData>()
  if (its.isStaff) return <p className="column note">{words('staffStay')}</p>
  return <section className="column">{its.eraseAt === null ? <Leaving its={its} /> : <Waiting until={its.eraseAt} />}</section>
}

function Waiting({ until }: { until: string }) {
  const words = useWords('leaving')
  const language = useLanguage()
  const staying = useAction<typeof stay>('/user/control/leave/stay')
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(until))
  return (
    <>
      <p className="note">{words('eraseAt', { until: day })}</p>
      <button type="button" className="button" disabled={staying.isBusy} onClick={() => void staying.run({}, { message: words('stayed') })}>
        {words('stay')}
      </button>
    </>
  )
}

function Leaving({ its }: { its: LeavingData }) {
  const words = useWords('leaving')
  const navigate = useNavigate()
  const [way, choose] = useState<LeaveMethod>('away')

  async function gone(): Promise<void> {
    removePair()
    member.set(null)
    userInfoVersion.set(userInfoVersion.get() + 1)
    toast(words(way === 'away' ? 'goneAway' : 'goneErase'))
    await navigate('/index')
  }

  return (
    <Form endpoint={leave} onSuccess={gone}>
      <fieldset className={css.choices}>
        <legend>{words('way')}</legend>
        {(['away', 'erase'] as const).map((one) => (
          <Radio key={one} name="way" value={one} label={words(one)} isChosen={way === one} choose={() => choose(one)}>
            <span className="meta">{words(`${one}What`)}</span>
          </Radio>
        ))}
      </fieldset>
      {way === 'erase' && <Erasing its={its} />}
      <p className="actions">
        <Submit danger={way === 'erase'}>{words(way === 'away' ? 'doAway' : 'doErase')}</Submit>
      </p>
    </Form>
  )
}

function Erasing({ its: { mayRemovePosts, posts, left, held } }: { its: LeavingData }) {
  const words = useWords('leaving')
  const language = useLanguage()
  const [choice, choose] = useState<'stay' | 'remove'>('stay')
  const all = (sums: LeavingData['left']) =>
    new Intl.ListFormat(language).format(
      sums.map(({ amount, currency }) =>
        currency === 'points' ? words('points', { count: Number(amount) }) : amountText(amount, currency, language),
      ),
    )
  return (
    <>
      <p>{words('whatGoes')}</p>
      <p>{words('whatStays')}</p>
      <p>
        <Link to="/user/control/personalData">{words('dataFirst')}</Link>
      </p>
      {posts > 0 && mayRemovePosts && (
        <fieldset className={css.choices}>
          <legend>{words('postsWhat', { count: posts })}</legend>
          <Radio name="posts" value="stay" label={words('postsStay')} isChosen={choice === 'stay'} choose={() => choose('stay')} />
          <Radio name="posts" value="remove" label={words('postsRemove')} isChosen={choice === 'remove'} choose={() => choose('remove')} />
        </fieldset>
      )}
      {left.length > 0 && <p>{words('left', { what: all(left) })}</p>}
      {held.length > 0 && <p>{words('held', { what: all(held) })}</p>}
      {left.length + held.length > 0 && <Field name="givesUp" type="checkbox" label={words('givesUp')} />}
    </>
  )
}

type RadioProps = { name: string; value: string; label: string; isChosen: boolean; choose: () => void; children?: ReactNode }

function Radio({ name, value, label, isChosen, choose, children }: RadioProps) {
  return (
    <label>
      <span>
        <input type="radio" name={name} value={value} checked={isChosen} onChange={choose} /> {label}
      </span>
      {children}
    </label>
  )
}
