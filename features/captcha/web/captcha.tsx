import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type RefCallback } from 'react'
import type { CaptchaWork, captchaPurposes, makeCaptcha } from '#captcha/contract.ts'
import { canWork, findNumber } from '#captcha/web/captcha-work.ts'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { Field, Labelled, useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'

type CaptchaProps = {
  purpose: (typeof captchaPurposes)[number]
  /** Known beforehand to be needed; otherwise it appears when the server asks for it. */
  isNeeded?: boolean
  /** Counts refusals: each one spends the captcha, so another is made. */
  tries: number
}

/** The picture of four characters and the field for them; or, for who cannot read it, work that the browser does. */
export function CaptchaField({ purpose, isNeeded = false, tries }: CaptchaProps) {
  const words = useWords('captcha')
  const [kind, setKind] = useState<'picture' | 'work'>('picture')
  const { made, another } = useCaptcha({ purpose, kind, isNeeded, tries })
  const captcha = made === null || typeof made === 'string' ? null : made
  const control = useControlOf(captcha)
  // So that the server's wish for a captcha is known to be one of this form.
  if (made === null) return <input type="hidden" name="captcha" />
  const turn = (to: typeof kind) => (
    <button type="button" className="plain" onClick={() => setKind(to)}>
      {words(to === 'work' ? 'unreadable' : 'byPicture')}
    </button>
  )
  if (captcha?.work) return <Work key={captcha.captchaId} {...captcha} work={captcha.work} ref={control} instead={turn('picture')} />
  return (
    <Field
      ref={control}
      name="captcha"
      label={words('label')}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={4}
      required
      after={
        <div className="captcha">
          {captcha?.picture && <img src={captcha.picture} alt={words('picture')} width={144} height={48} />}
          {made === 'failed' && <span role="alert">{words('failed')}</span>}
          <button type="button" className="plain" onClick={another}>
            {words('another')}
          </button>
          {canWork() && turn('work')}
        </div>
      }
    />
  )
}

type Wanted = CaptchaProps & { kind: 'picture' | 'work' }
type Captcha = Output<typeof makeCaptcha> | 'coming' | 'failed'

/** Null where none is asked for. */
function useCaptcha({ purpose, kind, isNeeded, tries }: Wanted): { made: Captcha | null; another: () => void } {
  const api = useApi()
  const { errors, hold } = useForm()
  const [made, setMade] = useState<Captcha | null>(isNeeded ? 'coming' : null)
  const [wishes, setWishes] = useState(0)
  const isAskedFor = isNeeded || made !== null || 'captcha' in errors
  useEffect(() => {
    if (!isAskedFor) return
    void api
      .write<typeof makeCaptcha>('/captcha/make', { purpose, kind }, { silent: true })
      .then((captcha) => {
        hold('captchaId', captcha.captchaId)
        setMade(captcha)
      })
      .catch(() => setMade('failed'))
    // Another for each refusal and each wish.
  }, [api, hold, purpose, kind, isAskedFor, tries, wishes])
  return { made: isAskedFor ? (made ?? 'coming') : null, another: () => setWishes(wishes + 1) }
}

/** For where one answers: a new captcha begins empty, and one of the other kind takes the focus of the button that went with the old one. */
function useControlOf(captcha: Output<typeof makeCaptcha> | null): RefCallback<HTMLElement> {
  const control = useRef<HTMLElement>(null)
  const isWork = Boolean(captcha?.work)
  const wasWork = useRef(isWork)
  useEffect(() => {
    if (control.current instanceof HTMLInputElement) control.current.value = ''
    if (isWork !== wasWork.current && document.activeElement === document.body) control.current?.focus()
    wasWork.current = isWork
  }, [captcha?.captchaId, isWork])
  return (element) => void (control.current = element)
}

type WorkProps = { captchaId: string; work: CaptchaWork; ref: RefCallback<HTMLElement>; instead: ReactNode }

function Work({ captchaId, work, ref, instead }: WorkProps) {
  const words = useWords('captcha')
  const { mend } = useForm()
  const [share, hear] = useState(0)
  const [found, setFound] = useState<number | null>(null)
  const mended = useEffectEvent(() => mend('captchaWork'))

  useEffect(() => {
    const left = new AbortController()
    findNumber(captchaId, work, { heard: hear, signal: left.signal }).then(
      (number) => {
        setFound(number)
        mended()
      },
      (error: unknown) => {
        if (!left.signal.aborted) throw error
      },
    )
    return () => left.abort()
  }, [captchaId, work])

  return (
    <Labelled
      name="captchaWork"
      label={words('work')}
      help={words(found === null ? 'working' : 'worked')}
      after={<div className="captcha">{instead}</div>}
    >
      {({ name, ...control }) => (
        <>
          <progress {...control} ref={ref} tabIndex={-1} className={found === null ? '' : 'unseen'} value={found === null ? share : 1} />
          <input key={found} type="number" className="unseen" aria-hidden tabIndex={-1} name={name} required defaultValue={found ?? ''} />
        </>
      )}
    </Labelled>
  )
}
