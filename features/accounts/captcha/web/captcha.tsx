import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type RefCallback } from 'react'
import type { CaptchaWork, captchaPurposes, makeCaptcha } from '#captcha/contract.ts'
import { canWork, findNumber } from '#captcha/web/captcha-work.ts'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { isFocusFree } from '#base/web/focus-later.ts'
import { Field, LabelledControl, useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'

type CaptchaProps = {
  purpose: (typeof captchaPurposes)[number]
  /** Known beforehand to be needed; otherwise it appears when the server asks for it. */
  isNeeded?: boolean
  /** Counts refusals: each one consumes the captcha, so another is made. */
  tries: number
}

/** Proof-of-work that runs while the form is filled in; or a picture of four characters and its field. */
export function CaptchaField({ purpose, isNeeded = false, tries }: CaptchaProps) {
  const words = useWords('captcha')
  const [wished, wish] = useState<Kind | null>(null)
  const { made, another } = useCaptcha({ purpose, chosen: wished, isNeeded, tries })
  const captcha = made === null || typeof made === 'string' ? null : made
  const control = useControlRef(captcha)
  // The server's request for a captcha is recognised as this form's.
  if (made === null) return <input type="hidden" name="captcha" />
  const turn = (to: Kind) => (
    <button type="button" className="plain" onClick={() => wish(to)}>
      {words(to === 'work' ? 'byBrowser' : 'byPicture')}
    </button>
  )
  const { captchaId, picture, work } = captcha ?? {}
  if (captchaId && work) return <Work key={captchaId} {...{ captchaId, work }} ref={control} alternative={turn('picture')} />
  if (picture) return <Picture picture={picture} ref={control} another={another} alternative={canWork() && turn('work')} />
  return (
    <LabelledControl name="captcha" label={words('work')} {...(made !== 'failed' && { help: words('working'), after: <Placeholder /> })}>
      {(field) => (
        <>
          <input type="hidden" name={field.name} />
          {made === 'failed' ? <Failed another={another} /> : <progress {...field} />}
        </>
      )}
    </LabelledControl>
  )
}

/** Reserves the space of the alternative, so that the form does not move. */
function Placeholder() {
  const words = useWords('captcha')
  return (
    <div className="captcha">
      <button type="button" className="plain" disabled>
        {words('byPicture')}
      </button>
    </div>
  )
}

type Kind = 'picture' | 'work'
type CaptchaState = CaptchaProps & { /** The kind that the person chose. */ chosen: Kind | null }
type Captcha = Output<typeof makeCaptcha> | 'coming' | 'failed'

/** Null where none is needed. */
function useCaptcha({ purpose, chosen, isNeeded, tries }: CaptchaState): { made: Captcha | null; another: () => void } {
  const api = useApi()
  const { errors, setValue } = useForm()
  const [current, setCurrent] = useState<Captcha | null>(isNeeded ? 'coming' : null)
  const [wishes, setWishes] = useState(0)
  const isAskedFor = isNeeded || current !== null || 'captcha' in errors
  useEffect(() => {
    if (!isAskedFor) return
    const kind = chosen ?? (canWork() ? 'work' : 'picture')
    setValue('captchaWork', undefined)
    void api
      .write<typeof makeCaptcha>('/captcha/make', { purpose, kind }, { silent: true })
      .then((captcha) => {
        setValue('captchaId', captcha.captchaId)
        setCurrent(captcha)
      })
      .catch(() => setCurrent('failed'))
    // A new captcha for each refusal and each change of kind.
  }, [api, setValue, purpose, chosen, isAskedFor, tries, wishes])
  return { made: isAskedFor ? (current ?? 'coming') : null, another: () => setWishes(wishes + 1) }
}

/**
 * The ref of the captcha's control: a new captcha begins empty, and one of the other kind takes the focus of the button that disappeared.
 */
function useControlRef(captcha: Output<typeof makeCaptcha> | null): RefCallback<HTMLElement> {
  const control = useRef<HTMLElement>(null)
  const isWork = captcha && Boolean(captcha.work)
  const wasWork = useRef(isWork)
  useEffect(() => {
    if (control.current instanceof HTMLInputElement) control.current.value = ''
    const isOther = isWork !== null && wasWork.current !== null && isWork !== wasWork.current
    if (isOther && isFocusFree()) control.current?.focus()
    wasWork.current = isWork
  }, [captcha?.captchaId, isWork])
  return (element) => void (control.current = element)
}

function Failed({ another }: { another: () => void }) {
  const words = useWords('captcha')
  return (
    <p role="alert">
      {words('failed')}{' '}
      <button type="button" className="plain" onClick={another}>
        {words('again')}
      </button>
    </p>
  )
}

type CaptchaPieces = { ref: RefCallback<HTMLElement>; alternative: ReactNode }

function Picture({ picture, another, ref, alternative }: CaptchaPieces & { picture: string; another: () => void }) {
  const words = useWords('captcha')
  return (
    <Field
      ref={ref}
      name="captcha"
      label={words('label')}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={8}
      required
      after={
        <div className="captcha">
          <img src={picture} alt={words('picture')} width={144} height={48} />
          <button type="button" className="plain" onClick={another}>
            {words('another')}
          </button>
          {alternative}
        </div>
      }
    />
  )
}

function Work({ captchaId, work, ref, alternative }: CaptchaPieces & { captchaId: string; work: CaptchaWork }) {
  const words = useWords('captcha')
  const { setValue, clearError } = useForm()
  const [share, hear] = useState(0)
  const found = useEffectEvent(() => clearError('captcha'))

  useEffect(() => {
    const left = new AbortController()
    const number = findNumber(captchaId, work, { onProgress: hear, signal: left.signal })
    // The form is sent when the number is found; a captcha that was replaced meanwhile is no error.
    const come = number.catch((error: unknown) => {
      if (!left.signal.aborted) throw error
    })
    setValue('captchaWork', come)
    void come.then(found)
    return () => left.abort()
  }, [captchaId, work, setValue])

  const isFound = share === 1
  return (
    <LabelledControl
      name="captcha"
      label={words('work')}
      help={words(isFound ? 'worked' : 'working')}
      after={<div className="captcha">{alternative}</div>}
    >
      {(field) => (
        <>
          <input type="hidden" name={field.name} />
          <progress {...field} ref={ref} tabIndex={-1} className={isFound ? 'unseen' : ''} value={share} />
        </>
      )}
    </LabelledControl>
  )
}
