import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { member, useLoginPath, useRegisterPath } from '#account/web/account.tsx'
import type { Output } from '#base/contract.ts'
import type { Lock } from '#base/rich-text/document.ts'
import { Html } from '#base/web/html.tsx'
import { useNeeded } from '#base/web/lazy-part.ts'
import { Link } from '#base/web/link.tsx'
import { StrokeIcon } from '#base/web/stroke-icon.tsx'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords, type Translate } from '#base/web/words.tsx'
import type { HiddenView, myHidden, myMeans } from '#hidden-part/contract.ts'
import { amountText } from '#wallet/web/wallet.tsx'
import css from '#hidden-part/web/hidden-part.module.css'

export type RevealedPart = Output<typeof myHidden>['parts'][number]
/** The hidden parts that a member sees; null for visitors. */
export type RevealedParts = { parts: readonly RevealedPart[]; funds: Output<typeof myMeans> | null } | 'failed' | null

export const RevealedContext = createContext<{ seen: RevealedParts; takesComments: boolean }>({ seen: null, takesComments: false })

function useRevealed(): RevealedParts {
  return useContext(RevealedContext).seen
}

/** The drawn content of a post, as a key for effects that depend on it. */
export function useContentKey(segments: readonly { hidden?: unknown }[]): unknown {
  const seen = useRevealed()
  return segments.some(({ hidden }) => hidden) ? (seen ?? segments) : segments
}

/** A hidden part in its place: its content, or the way to open it. */
export function HiddenPart({ of: part }: { of: HiddenView }) {
  const words = useWords('hiddenPart')
  const title = usePartTitle(part)
  const seen = useRevealed()
  const revealed = seen !== null && seen !== 'failed' && (seen.parts.find(({ id }) => id === part.id) ?? null)
  const place = useRef<HTMLElement>(null)
  const wasLocked = useWasLocked(revealed === null)
  const hasOpened = Boolean(revealed) && wasLocked
  const id = anchorOf(part)
  useArrival(id, place)
  useOpening(hasOpened, part.lock, place)
  return (
    <section
      id={id}
      ref={place}
      tabIndex={-1}
      className={css.part}
      data-open={Boolean(revealed) || undefined}
      aria-labelledby={`${id}-title`}
    >
      <p className={css.head}>
        <LockSign isOpen={Boolean(revealed)} />
        <span id={`${id}-title`} className={css.title}>
          {title}
        </span>
        {revealed && <span className="mark">{words(whyWords[revealed.why])}</span>}
      </p>
      {revealed ? (
        revealed.segments.map(({ html }, index) => <Html key={index} html={html} className="prose" />)
      ) : (
        <UnlockControls part={part} />
      )}
      <p className="hidden" role="status">
        {hasOpened && words('opened')}
      </p>
    </section>
  )
}

// Spelled out, so that the catalogue's texts are bundled with the component.
const whyWords = {
  author: 'whyAuthor',
  staff: 'whyStaff',
  unlocked: 'whyUnlocked',
  spoken: 'whySpoken',
  level: 'whyLevel',
} as const satisfies Record<RevealedPart['why'], string>

function anchorOf({ id }: { id: string }): string {
  return `part-${id}`
}

/** The controls that open the part. Their room is reserved until the member is known. */
function UnlockControls({ part }: { part: HiddenView }) {
  const me = member.use()
  const seen = useRevealed()
  const { pathname, search } = useLocation()
  const here = `${pathname}${search}#${anchorOf(part)}`
  const loginPath = useLoginPath(here)
  const registerPath = useRegisterPath(here)
  const words = useWords('account')
  if (seen === 'failed') return <Failed />
  if (me && seen) return <MemberControls part={part} />
  if (me !== null) return <ControlsRoom>{me && <Skeleton lines={1} />}</ControlsRoom>
  return (
    <ControlsRoom>
      <Link to={loginPath} className="button quiet">
        {words('logIn')}
      </Link>
      <Link to={registerPath}>{words('register')}</Link>
    </ControlsRoom>
  )
}

function MemberControls({ part }: { part: HiddenView }) {
  const { part: controls, hasFailed, retry } = useNeeded(() => import('#hidden-part/web/unlock.tsx'))
  if (hasFailed) return <Failed retry={retry} />
  return <ControlsRoom>{controls ? <controls.Unlock part={part} /> : <Skeleton lines={1} />}</ControlsRoom>
}

function ControlsRoom({ children }: { children: ReactNode }) {
  return <div className={css.way}>{children}</div>
}

/** The title of a part: its lock and price. */
export function usePartTitle({ lock, value, level }: HiddenView): string {
  const words = useWords('hiddenPart')
  const language = useLanguage()
  if (lock === 'balance' && value === '') return words('notNow')
  const amount = lock === 'balance' ? formatCents(value, language) : value
  return words('title', { lock, amount: lock === 'points' ? Number(value) : amount, level: level ? level[language] : amount })
}

/** Cents as an amount in the reader's language. */
export function formatCents(cents: string, language: string): string {
  const digits = cents.padStart(3, '0')
  return amountText(`${digits.slice(0, -2)}.${digits.slice(-2)}`, 'cny', language)
}

function useWasLocked(isLocked: boolean): boolean {
  const [wasLocked, setLocked] = useState(false)
  if (isLocked && !wasLocked) setLocked(true)
  return wasLocked
}

/** Focuses the part that a login returned to. */
function useArrival(id: string, place: { current: HTMLElement | null }): void {
  const { hash, key } = useLocation()
  useEffect(() => {
    if (hash !== `#${id}`) return
    place.current?.scrollIntoView({ block: 'center' })
    place.current?.focus({ preventScroll: true })
  }, [hash, key, id, place])
}

/** Focuses a part that the reader just opened. A part opened by a comment, while the reader is elsewhere, is announced with a link. */
function useOpening(hasOpened: boolean, lock: Lock, place: { current: HTMLElement | null }): void {
  const words = useWords('hiddenPart')
  useEffect(() => {
    if (!hasOpened) return
    if (lock !== 'comment') return place.current?.focus({ preventScroll: true })
    const close = toast(words('opened'), {
      label: words('toPart'),
      lastsMs: 10_000,
      retry() {
        close()
        place.current?.scrollIntoView({ block: 'center' })
        place.current?.focus({ preventScroll: true })
      },
    })
  }, [hasOpened, lock, place, words])
}

const shackle = 'M4.500 9h11v8h-11zM7 9V6.500a3 3 0 0 1 6 0'

function LockSign({ isOpen = false, size = 18 }: { isOpen?: boolean; size?: number }) {
  return <StrokeIcon path={isOpen ? shackle : `${shackle}V9M10 12v2`} size={size} />
}

export function LockMark({ locks }: { locks: readonly Lock[] }) {
  const words = useWords('hiddenPart')
  if (locks.length === 0) return null
  const all = words('hides', { locks: locks.map((lock) => lockName(lock, words)).join(words('and')) })
  return (
    <span className={css.lock} title={all}>
      <LockSign size={14} />
      <span aria-hidden="true">{locks.length === 1 && locks[0] ? lockName(locks[0], words) : words('kinds', { count: locks.length })}</span>
      <span className="hidden">{all}</span>
    </span>
  )
}

export function locksOf(segments: readonly { hidden?: { lock: Lock } | undefined }[]): Lock[] {
  return [...new Set(segments.flatMap(({ hidden }) => hidden?.lock ?? []))]
}

export function lockName(lock: Lock, words: Translate): string {
  return words('lock', { lock })
}
