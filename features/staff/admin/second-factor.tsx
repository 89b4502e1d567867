import { useState } from 'react'
import { encode } from 'uqr'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import { RecoveryCodes } from '#staff/admin/recovery-codes.tsx'
import type { Me } from '#staff/admin/staff.tsx'
import { confirmSecondFactor, type beginSecondFactor, type removeSecondFactor, type renewRecoveryCodes } from '#staff/contract.ts'
import css from '#staff/admin/staff.module.css'

type Begun = Output<typeof beginSecondFactor>

/** Codes of an authenticator app beside the password: begun, confirmed by a first code, and ten recovery codes for a lost phone. */
export function SecondFactor({ who }: { who: Me }) {
  const words = useWords('staffAdmin')
  const begin = useDeed<typeof beginSecondFactor>('/admin/secondFactor/begin')
  const remove = useDeed<typeof removeSecondFactor>('/admin/secondFactor/remove')
  const renew = useDeed<typeof renewRecoveryCodes>('/admin/secondFactor/codes')
  const [begun, setBegun] = useState<Begun | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)

  async function takeAway(): Promise<void> {
    if (!(await confirm(words('removeFactorAsk'), words('removeFactor')))) return
    await remove.go({}, { done: words('factorRemoved') })
    setCodes(null)
  }

  async function renewCodes(): Promise<void> {
    if (!(await confirm(words('renewCodesAsk'), words('renewCodes')))) return
    const made = await renew.go({})
    if (made) setCodes(made.recoveryCodes)
  }

  if (codes) return <RecoveryCodes codes={codes} kept={() => setCodes(null)} />
  if (who.hasSecondFactor)
    return (
      <div className="note">
        <p>{words('factorOn', { count: who.recoveryCodesLeft })}</p>
        <div className={css.deeds}>
          <button type="button" className="button quiet" onClick={() => void renewCodes()}>
            {words('renewCodes')}
          </button>
          <button type="button" className="button danger" onClick={() => void takeAway()}>
            {words('removeFactor')}
          </button>
        </div>
      </div>
    )
  if (begun) return <Confirming begun={begun} done={setCodes} />
  return (
    <div className="note">
      <p>{words('factorOff')}</p>
      <button
        type="button"
        className="button"
        disabled={begin.isBusy}
        onClick={() => void begin.go({}).then((made) => made && setBegun(made))}
      >
        {words('beginFactor')}
      </button>
    </div>
  )
}

function Confirming({ begun, done }: { begun: Begun; done: (codes: readonly string[]) => void }) {
  const words = useWords('staffAdmin')
  return (
    <div className="note">
      <p>{words('scan')}</p>
      <Code text={begun.address} label={words('scanLabel')} />
      <p>
        {words('orType')} <code>{begun.secret}</code>
      </p>
      <Form sends={confirmSecondFactor} then={({ recoveryCodes }) => done(recoveryCodes)}>
        <Field name="code" label={words('code')} autoComplete="one-time-code" inputMode="numeric" maxLength={6} required />
        <Submit>{words('confirmFactor')}</Submit>
      </Form>
    </div>
  )
}

/** What a phone's camera reads. */
function Code({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 4 })
  const path = data.flatMap((line, y) => line.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join('')
  return (
    <svg className={css.code} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={`M0 0h${size}v${size}H0z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
