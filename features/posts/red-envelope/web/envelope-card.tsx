import { useEffect, useId, useRef, useState, type RefObject } from 'react'
import { useLocation } from 'react-router'
import type { Output } from '#base/contract.ts'
import { useSubmission } from '#base/web/submission.ts'
import { isFocusFree } from '#base/web/focus-later.ts'
import { useLater } from '#base/web/lazy-part.ts'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { EnvelopeView, openEnvelope } from '#red-envelope/contract.ts'
import { useAmount } from '#red-envelope/web/amount.ts'
import { Cover } from '#red-envelope/web/cover.tsx'
import { anchorOf, UnopenedEnvelope } from '#red-envelope/web/unopened-envelope.tsx'
import { Avatar } from '#user/web/user.tsx'
import css from '#red-envelope/web/envelope-card.module.css'

type Props = {
  envelope: EnvelopeView
  /** Called when its state has changed. */
  reload: () => Promise<void> | void
  /** The message shows the greeting. */
  isInMessage?: boolean
}

/** A red envelope: its giver, its state, and the button to open it. */
export function EnvelopeCard({ envelope, reload, isInMessage = false }: Props) {
  const words = useWords('redEnvelope')
  const title = useId()
  const place = anchorOf(envelope.id)
  const arrival = useArrival(place)
  const [isAsked, ask] = useState(false)
  const openers = useLater(
    () => import('#red-envelope/web/openers.tsx'),
    isAsked,
    () => ask(false),
  )
  const { id, giver, greeting, cover, taken, state, mine, currency } = envelope
  const isTold = mine !== null || envelope.isOwn || isOver(state)
  return (
    <section id={place} ref={arrival} tabIndex={-1} className={css.card} data-state={state} aria-labelledby={title}>
      <div className={css.front}>
        <Cover of={cover} isOpen={mine !== null} />
        <div className={css.says}>
          <h2 id={title}>
            {giver && <Avatar of={giver} size={24} />}
            {giver ? words('from', { name: giver.name }) : words('fromSomebodyGone')}
          </h2>
          {!isInMessage && <p className={css.greeting}>{greeting || words('standardGreeting')}</p>}
          <Facts of={envelope} />
          {state === 'open' && mine === null && <Conditions of={envelope} />}
        </div>
        <Action envelope={envelope} reload={reload} />
      </div>
      {isTold && taken > 0 && (
        <button type="button" className="plain" aria-expanded={isAsked} onClick={() => ask(!isAsked)}>
          {words('openers')}
        </button>
      )}
      {isAsked && openers && <openers.Openers key={`${id} ${state}`} envelopeId={id} currency={currency} />}
    </section>
  )
}

function Facts({ of }: { of: EnvelopeView }) {
  const words = useWords('redEnvelope')
  const amountOf = useAmount()
  const { kind, receiver, quantity, taken, state, endsAt, amount, currency } = of
  return (
    <p className="meta">
      {words(kindWords[kind], { name: receiver?.name ?? '' })}
      {kind !== 'targeted' && ` · ${words('opened', { taken, quantity })}`}
      {amount !== null && ` · ${kind === 'targeted' ? amountOf(amount, currency) : words('inAll', { amount: amountOf(amount, currency) })}`}
      {state === 'open' && taken < quantity && endsAt && (
        <>
          {' · '}
          <span className={css.ends}>
            {words('ends')} <Time at={endsAt} />
          </span>
        </>
      )}
    </p>
  )
}

/** Scrolls to the card named by the address and focuses it, even if it renders later than the page. */
function useArrival(place: string): RefObject<HTMLElement | null> {
  const card = useRef<HTMLElement>(null)
  const { hash, key } = useLocation()
  useEffect(() => {
    if (hash !== `#${place}`) return
    card.current?.scrollIntoView({ block: 'center' })
    // The reader may have focused something else meanwhile.
    if (isFocusFree()) card.current?.focus({ preventScroll: true })
  }, [hash, key, place])
  return card
}

// Spelled out, so that the catalogue's texts are bundled with the component.
const kindWords = { random: 'kindRandom', fixed: 'kindFixed', targeted: 'kindTargeted' } as const

function isOver(state: EnvelopeView['state']): boolean {
  return state === 'taken' || state === 'returned'
}

function Conditions({ of: { conditions, role, level: named } }: { of: EnvelopeView }) {
  const words = useWords('redEnvelope')
  const language = useLanguage()
  const { commented, follows, level, days } = conditions
  const all = [
    commented && words('ifCommented'),
    follows && words('ifFollows'),
    level !== undefined && (named ? words('ifLevel', { level: named[language] }) : words('ifPoints', { points: Number(level) })),
    role !== null && words('ifRole', { role: role[language] }),
    days !== undefined && words('ifDays', { days }),
  ].filter((one) => typeof one === 'string')
  if (all.length === 0) return null
  return <p className="meta">{all.join(' · ')}</p>
}

/** The button, replaced by the result. */
function Action({ envelope, reload }: Omit<Props, 'isInMessage'>) {
  const words = useWords('redEnvelope')
  const amountOf = useAmount()
  const box = useRef<HTMLDivElement>(null)
  const { got, wrong, isBusy, isAsked, open, ...asking } = useOpening(envelope, reload)
  const captcha = useLater(() => import('#red-envelope/web/captcha-dialog.tsx'), isAsked, asking.close)
  const mine = got ?? envelope.mine
  useEffect(() => {
    // The focused button is gone.
    if (got !== null) box.current?.focus({ preventScroll: true })
  }, [got])
  return (
    <>
      <div ref={box} className={css.action} tabIndex={-1} aria-live="polite">
        {mine === null ? (
          <UnopenedEnvelope envelope={envelope} isBusy={isBusy} open={open} />
        ) : (
          <p className={css.got} data-new={got !== null || undefined}>
            <span>{words('got')}</span> <strong>{amountOf(mine, envelope.currency)}</strong>
          </p>
        )}
        {wrong && mine === null && (
          <p className={`wrong ${css.wrong}`} role="alert">
            {wrong}
          </p>
        )}
      </div>
      {captcha && <captcha.CaptchaDialog envelopeId={envelope.id} isOpen={isAsked} {...asking} />}
    </>
  )
}

/** Opens the envelope once, after a captcha if required. A refusal is shown beside the button. */
function useOpening({ id, needsCaptcha }: EnvelopeView, reload: Props['reload']) {
  const { isBusy, submit } = useSubmission<typeof openEnvelope>('/user/control/redEnvelope/open')
  const [got, setGot] = useState<string | null>(null)
  const [wrong, setWrong] = useState('')
  const [isAsked, ask] = useState(false)
  const close = () => ask(false)

  async function open(): Promise<void> {
    setWrong('')
    if (needsCaptcha) return ask(true)
    await submit(
      { envelopeId: id },
      {
        actionKey: id,
        onSuccess: opened,
        onRefused({ fields, message }) {
          // Staff may have enabled the captcha since the card was loaded.
          if ('captcha' in fields) ask(true)
          else refused(message)
        },
      },
    )
  }

  async function opened({ amount }: Output<typeof openEnvelope>): Promise<void> {
    close()
    setGot(amount)
    await reload()
  }

  function refused(why: string): void {
    close()
    setWrong(why)
    // All shares may have been taken meanwhile.
    void reload()
  }

  return { got, wrong, isBusy, isAsked, open, close, opened, refused }
}
