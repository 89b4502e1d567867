import { useState, type ReactNode } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#base/contract.ts'
import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { QrCode } from '#base/web/qr-code.tsx'
import { useWords } from '#base/web/words.tsx'
import type { Begun, RecoveryCodesView } from '#second-factor/contract.ts'
import { RecoveryCodes } from '#second-factor/web/recovery-codes.tsx'
import css from '#second-factor/web/codes.module.css'

/** Members and staff have endpoints of their own, which are alike. */
type Calls = {
  begin: Endpoint<string, z.ZodType, typeof Begun>
  confirm: Endpoint<string, z.ZodType, typeof RecoveryCodesView>
  renew: Endpoint<string, z.ZodType, typeof RecoveryCodesView>
  remove: Endpoint
}
export type AppCodesProps = {
  calls: Calls
  isOn: boolean
  codesLeft: number
  /** Called when the new recovery codes were saved. */
  saved?: () => void
  /** Further fields of the form that turns it on. */
  children?: ReactNode
}

/** Codes of an authenticator app beside the password: started, confirmed by a first code, and ten recovery codes for a lost phone. */
export function AppCodes({ calls, isOn, codesLeft, saved, children }: AppCodesProps) {
  const words = useWords('secondFactor')
  const begin = useDeed<Calls['begin']>(calls.begin.path)
  const [begun, setBegun] = useState<z.infer<typeof Begun> | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes)
    return (
      <RecoveryCodes
        codes={codes}
        kept={() => {
          setCodes(null)
          saved?.()
        }}
      />
    )
  if (isOn) return <On calls={calls} codesLeft={codesLeft} made={setCodes} />
  if (begun)
    return (
      <Confirming
        calls={calls}
        begun={begun}
        done={(made) => {
          setBegun(null)
          setCodes(made)
        }}
      >
        {children}
      </Confirming>
    )
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

type OnCodes = (codes: readonly string[] | null) => void

function On({ calls, codesLeft, made }: { calls: Calls; codesLeft: number; made: OnCodes }) {
  const words = useWords('secondFactor')
  const remove = useDeed<Calls['remove']>(calls.remove.path)
  const renew = useDeed<Calls['renew']>(calls.renew.path)

  async function takeAway(): Promise<void> {
    if (!(await confirm(words('removeFactorAsk'), words('removeFactor')))) return
    await remove.go({}, { done: words('factorRemoved') })
  }

  async function renewCodes(): Promise<void> {
    if (!(await confirm(words('renewCodesAsk'), words('renewCodes')))) return
    const renewed = await renew.go({})
    if (renewed) made(renewed.recoveryCodes)
  }

  return (
    <div className="note">
      <p>{words('factorOn', { count: codesLeft })}</p>
      <div className={css.deeds}>
        <button type="button" className="button quiet" disabled={renew.isBusy} onClick={() => void renewCodes()}>
          {words('renewCodes')}
        </button>
        <button type="button" className="button danger" disabled={remove.isBusy} onClick={() => void takeAway()}>
          {words('removeFactor')}
        </button>
      </div>
    </div>
  )
}

type ConfirmingProps = { calls: Calls; begun: z.infer<typeof Begun>; done: OnCodes; children: ReactNode }

function Confirming({ calls, begun, done, children }: ConfirmingProps) {
  const words = useWords('secondFactor')
  return (
    <div className="note">
      <p>{words('scan')}</p>
      <QrCode text={begun.address} label={words('scanLabel')} />
      <p className={css.secret}>
        {words('orType')} <code>{begun.secret}</code>
      </p>
      <Form sends={calls.confirm} then={({ recoveryCodes }) => done(recoveryCodes)}>
        <Field name="code" label={words('code')} autoComplete="one-time-code" inputMode="numeric" maxLength={20} required autoFocus />
        {children}
        <Submit>{words('confirmFactor')}</Submit>
      </Form>
    </div>
  )
}
