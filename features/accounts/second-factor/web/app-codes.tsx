import { useState, type ReactNode } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#base/contract.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { QrCode } from '#base/web/qr-code.tsx'
import { useWords } from '#base/web/words.tsx'
import type { AppSetup, RecoveryCodesView } from '#second-factor/contract.ts'
import { RecoveryCodes } from '#second-factor/web/recovery-codes.tsx'
import css from '#second-factor/web/codes.module.css'

/** Members and staff have endpoints of their own, which are alike. */
type AppEndpoints = {
  begin: Endpoint<string, z.ZodType, typeof AppSetup>
  confirm: Endpoint<string, z.ZodType, typeof RecoveryCodesView>
  renew: Endpoint<string, z.ZodType, typeof RecoveryCodesView>
  remove: Endpoint
}
export type AppCodesProps = {
  endpoints: AppEndpoints
  isOn: boolean
  codesLeft: number
  /** Called when the new recovery codes were saved. */
  saved?: () => void
  /** Further fields of the form that turns it on. */
  children?: ReactNode
}

/** Codes of an authenticator app beside the password: started, confirmed by a first code, and ten recovery codes for a lost phone. */
export function AppCodes({ endpoints, isOn, codesLeft, saved, children }: AppCodesProps) {
  const words = useWords('secondFactor')
  const begin = useAction<AppEndpoints['begin']>(endpoints.begin.path)
  const [begun, setBegun] = useState<z.infer<typeof AppSetup> | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes)
    return (
      <RecoveryCodes
        codes={codes}
        saved={() => {
          setCodes(null)
          saved?.()
        }}
      />
    )
  if (isOn) return <Enabled calls={endpoints} codesLeft={codesLeft} made={setCodes} />
  if (begun)
    return (
      <ConfirmForm
        calls={endpoints}
        setup={begun}
        onDone={(result) => {
          setBegun(null)
          setCodes(result)
        }}
      >
        {children}
      </ConfirmForm>
    )
  return (
    <div className="note">
      <p>{words('factorOff')}</p>
      <button
        type="button"
        className="button"
        disabled={begin.isBusy}
        onClick={() => void begin.run({}).then((result) => result && setBegun(result))}
      >
        {words('beginFactor')}
      </button>
    </div>
  )
}

type OnCodes = (codes: readonly string[] | null) => void

function Enabled({ calls, codesLeft, made }: { calls: AppEndpoints; codesLeft: number; made: OnCodes }) {
  const words = useWords('secondFactor')
  const remove = useAction<AppEndpoints['remove']>(calls.remove.path)
  const renew = useAction<AppEndpoints['renew']>(calls.renew.path)

  async function takeAway(): Promise<void> {
    if (!(await confirm(words('removeFactorAsk'), words('removeFactor')))) return
    await remove.run({}, { message: words('factorRemoved') })
  }

  async function renewCodes(): Promise<void> {
    if (!(await confirm(words('renewCodesAsk'), words('renewCodes')))) return
    const renewed = await renew.run({})
    if (renewed) made(renewed.recoveryCodes)
  }

  return (
    <div className="note">
      <p>{words('factorOn', { count: codesLeft })}</p>
      <div className={css.actions}>
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

type ConfirmFormProps = { calls: AppEndpoints; setup: z.infer<typeof AppSetup>; onDone: OnCodes; children: ReactNode }

function ConfirmForm({ calls, setup, onDone, children }: ConfirmFormProps) {
  const words = useWords('secondFactor')
  return (
    <div className="note">
      <p>{words('scan')}</p>
      <QrCode text={setup.address} label={words('scanLabel')} />
      <p className={css.secret}>
        {words('orType')} <code>{setup.secret}</code>
      </p>
      <Form endpoint={calls.confirm} onSuccess={({ recoveryCodes }) => onDone(recoveryCodes)}>
        <Field name="code" label={words('code')} autoComplete="one-time-code" inputMode="numeric" maxLength={20} required autoFocus />
        {children}
        <Submit>{words('confirmFactor')}</Submit>
      </Form>
    </div>
  )
}
