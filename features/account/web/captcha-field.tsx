import { useEffect, useState } from 'react'
import type { captchaPurposes, loginForm, makeCaptcha } from '#account/contract.ts'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { Field, useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'

type CaptchaProps = {
  purpose: (typeof captchaPurposes)[number]
  /** Known beforehand to be needed; otherwise it appears when the server asks for it. */
  isNeeded?: boolean
  /** Counts refusals: each one spends the picture, so another is drawn. */
  tries: number
}

/** The picture of four characters and the field for them. */
export function CaptchaField({ purpose, isNeeded = false, tries }: CaptchaProps) {
  const api = useApi()
  const words = useWords('account')
  const { errors, hold } = useForm()
  const [drawn, setDrawn] = useState<Output<typeof makeCaptcha> | null>(null)
  const [wishes, setWishes] = useState(0)
  const isAskedFor = isNeeded || drawn !== null || 'captcha' in errors

  useEffect(() => {
    if (!isAskedFor) return
    void api.write<typeof makeCaptcha>('/captcha/make', { purpose }, { silent: true }).then((captcha) => {
      hold('captchaId', captcha.captchaId)
      setDrawn(captcha)
    })
    // A new picture for each refusal and each wish.
  }, [api, hold, purpose, isAskedFor, tries, wishes])

  if (!isAskedFor) return null
  return (
    <Field
      name="captcha"
      key={drawn?.captchaId}
      label={words('captcha')}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={4}
      after={
        <div className="captcha">
          {drawn && <img src={drawn.picture} alt={words('captchaPicture')} width={144} height={48} />}
          <button type="button" className="plain" onClick={() => setWishes(wishes + 1)}>
            {words('captchaAnother')}
          </button>
        </div>
      }
    />
  )
}

/** Whether a login from here needs a captcha, asked when the page opens. */
export function useLoginCaptcha(): boolean {
  const api = useApi()
  const [isNeeded, setNeeded] = useState(false)
  useEffect(() => {
    void api.read<typeof loginForm>('/account/loginForm', {}, { silent: true }).then((form) => setNeeded(form.needsCaptcha))
  }, [api])
  return isNeeded
}
