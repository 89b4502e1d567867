import { textOf } from '#base/rich-text/text-of-html.ts'
import { deviceName } from '#base/device-name.ts'
import { regionName } from '#base/region-name.ts'
import { Html } from '#base/web/html.tsx'
import { Link } from '#base/web/link.tsx'
import { Quote } from '#base/web/quote.tsx'
import { clock } from '#base/web/time.tsx'
import { useLanguage, useTranslate, useWords, type Translate } from '#base/web/words.tsx'
import { postPath } from '#kind/contract.ts'
import { usePostWord } from '#kind/web/kind.tsx'
import type { AnnouncementView, PostView, PersonalNotice } from '#notification/contract.ts'
import { banWord } from '#role/all-rights.ts'
import css from '#notification/web/notice.module.css'

type Says = PersonalNotice | AnnouncementView
type Language = 'zh' | 'en'

/** A system notification in the reader's language. */
export function SystemNotificationText({ says }: { says: Says }) {
  const words = useWords('notification')
  const language = useLanguage()
  if (says.kind !== 'announcement') return <About says={says} />
  return (
    <>
      <p className={css.sentence}>{words('announcement')}</p>
      <AnnouncementText says={says} language={language} />
    </>
  )
}

export function AnnouncementText({ says, language }: { says: AnnouncementView; language: Language }) {
  return says[language].map((segment, index) => <Html key={index} html={segment.html} className={`prose ${css.text}`} />)
}

/** A notification in one sentence, its subject, and its link. */
export function useNoticeLine(says: Says): { says: string; about: string | undefined; to: string | undefined } {
  const words = useWords('notification')
  const language = useLanguage()
  const sentenceOf = useSentence()
  if (says.kind === 'announcement') return { says: words('announcement'), about: textOf(says[language]).slice(0, 200), to: undefined }
  const post = 'post' in says && says.post.title ? says.post : null
  const about = post?.title ?? quoteOf(says, language)?.text
  return { says: sentenceOf(says), about, to: post && isOnPage(says) ? postPath(post) : onwardOf(says)?.to }
}

function useSentence(): (says: PersonalNotice) => string {
  const words = useWords('notification')
  const translate = useTranslate()
  const word = usePostWord()
  const language = useLanguage()
  // Times show in the reader's zone, which is known only after hydration.
  const isAlive = clock.use() !== null
  return (says) => words(says.kind, { ...valuesOf(says, translate, language, isAlive), ...whatOf(says, word) })
}

function About({ says }: { says: PersonalNotice }) {
  const words = useWords('notification')
  const language = useLanguage()
  const sentenceOf = useSentence()
  const quote = quoteOf(says, language)
  const onward = onwardOf(says)
  return (
    <>
      <p className={css.sentence}>{sentenceOf(says)}</p>
      {'post' in says && <Post post={says.post} isThere={isOnPage(says)} />}
      {quote && <Quote by={words(quote.by)}>{quote.text}</Quote>}
      {onward && (
        <p className={css.onward}>
          <Link to={onward.to}>{words(onward.label)}</Link>
        </p>
      )}
    </>
  )
}

// An erased post has no text to name it by.
function Post({ post, isThere }: { post: PostView; isThere: boolean }) {
  const words = useWords('notification')
  if (!post.title) return <p className={css.post}>{words('erased')}</p>
  return (
    <>
      <p className={css.post}>{isThere ? <Link to={postPath(post)}>{post.title}</Link> : post.title}</p>
      {post.excerpt && <p className={css.excerpt}>{post.excerpt}</p>}
    </>
  )
}

function isOnPage(says: PersonalNotice): boolean {
  if ('isHidden' in says && says.isHidden) return false
  if (says.kind === 'appealAnswered') return says.outcome === 'restored'
  if (says.kind === 'reportDecided') return says.outcome === 'failed'
  if (says.kind === 'appealReopened') return !says.isAway
  return says.kind !== 'postRemoved' && says.kind !== 'postRejected'
}

function valuesOf(says: PersonalNotice, translate: Translate, language: Language, isAlive: boolean): Record<string, string | number> {
  return {
    ...('count' in says && { count: says.count }),
    ...('name' in says && { name: says.name }),
    ...('number' in says && { number: says.number }),
    ...('left' in says && { left: says.left, quantity: says.quantity }),
    ...('share' in says && { state: says.state, share: says.share }),
    ...('outcome' in says && { outcome: says.outcome }),
    ...('post' in says && { isHidden: 'isHidden' in says && says.isHidden ? 'yes' : 'no' }),
    ...('isAway' in says && { isAway: says.isAway ? 'yes' : 'no' }),
    ...('isEdit' in says && { isEdit: says.isEdit ? 'yes' : 'no' }),
    ...('amount' in says && amountOf(says, language)),
    ...('from' in says && { what: allOf(says.from, translate, language) }),
    ...('way' in says && { way: says.way, its: says.its[language] }),
    ...('role' in says && { role: says.role[language] }),
    ...('card' in says && { card: says.card[language] }),
    ...('paid' in says && paidOf(says.paid, language)),
    ...('device' in says && {
      device: deviceName(says.device) ?? translate('notification.unknownDevice'),
      region: says.region === null || says.region === 'local' ? 'none' : regionName(says.region, language),
      at: momentOf(says.at, language, isAlive),
    }),
    ...('endsAt' in says && { ends: says.endsAt ? 'then' : 'never', until: says.endsAt ? momentOf(says.endsAt, language, isAlive) : '' }),
  }
}

function paidOf({ cash, points }: Extract<PersonalNotice, { kind: 'membershipRefunded' }>['paid'], language: Language) {
  const paid = cash === null ? (points === null ? 'none' : 'points') : points === null ? 'cash' : 'both'
  return { paid, points: Number(points ?? 0), cash: amountOf({ currency: 'cny', amount: cash ?? '0' }, language).amount }
}

function amountOf({ currency, amount }: Pick<Extract<PersonalNotice, { amount: string }>, 'currency' | 'amount'>, language: Language) {
  const count = Math.abs(Number(amount))
  const yuan = new Intl.NumberFormat(language, { style: 'currency', currency: 'CNY', currencyDisplay: 'narrowSymbol' })
  return { currency, count, amount: yuan.format(count), way: amount.startsWith('-') ? 'out' : 'in' }
}

function whatOf(says: PersonalNotice, word: ReturnType<typeof usePostWord>): { what?: string } {
  if ('post' in says) return { what: word(says.post) }
  return 'count' in says ? { what: word({ kind: says.what, thread: says.thread }, says.count) } : {}
}

function allOf(from: readonly string[], translate: Translate, language: Language): string {
  const things = new Set(from.map((one) => translate(banWord(one))))
  return new Intl.ListFormat(language, { type: 'disjunction' }).format(things)
}

function momentOf(at: string, language: Language, isAlive: boolean): string {
  const zone = isAlive ? {} : { timeZone: 'UTC' }
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', ...zone }).format(new Date(at))
}

function quoteOf(says: PersonalNotice, language: Language): { by: string; text: string } | null {
  if (says.kind === 'reportDecided') return { by: 'answer', text: says.result }
  if (says.kind === 'messageReportDecided' || says.kind === 'answerReportHandled')
    return says.result ? { by: 'answer', text: says.result } : null
  if (says.kind === 'appealAnswered') return { by: 'answer', text: says.answer }
  if (says.kind === 'reportAsked') return { by: 'question', text: says.question }
  if (says.kind === 'membershipGiven') return says.note ? { by: 'giverSays', text: says.note } : null
  if (!('reason' in says)) return null
  return { by: 'reason', text: typeof says.reason === 'string' ? says.reason : says.reason[language] }
}

const memberships: ReadonlySet<string> = new Set([
  'membershipGiven',
  'membershipRefunded',
  'membershipTaken',
  'roleGiven',
  'roleEnding',
  'roleEnded',
])

function onwardOf(says: PersonalNotice): { label: string; to: string } | null {
  if (says.kind === 'reportDecided' || says.kind === 'reportReopened') return { label: 'toReports', to: '/user/control/reportList' }
  if (says.kind === 'reportAsked') return { label: 'toAnswer', to: '/user/control/reportList' }
  if (says.kind === 'postRemoved' && says.mayAppeal) return { label: 'toAppeal', to: '/user/control/reportList?view=removed' }
  if (says.kind === 'allRemoved' || says.kind === 'manyRemoved') return { label: 'toAppeal', to: '/user/control/reportList?view=removed' }
  if ('envelopeId' in says) return envelopeOf(says)
  if ('currency' in says)
    return says.currency === 'points'
      ? { label: 'toPoints', to: '/user/control/point' }
      : { label: 'toBalance', to: '/user/control/balance' }
  if (says.kind === 'newSignIn' || says.kind === 'sessionReused') return { label: 'toDevices', to: '/user/control/userLoginLogList' }
  if (says.kind === 'programTokenMade') return { label: 'toTokens', to: '/user/control/tokens' }
  if (says.kind === 'realNameRead') return { label: 'toRealName', to: '/user/control/realNameAuthentication' }
  if (says.kind === 'accountsMerged') return { label: 'toMethods', to: '/user/control/signInMethods' }
  if (says.kind === 'passwordReset' || says.kind === 'hintReset') return { label: 'toStaff', to: '/feedback' }
  if (says.kind === 'wayRemoved') return { label: 'toWays', to: `/user/control/${says.way === 'passkey' ? 'security' : 'signInMethods'}` }
  if (says.kind === 'leavingBegun') return { label: 'toLeaving', to: '/user/control/leave' }
  if (says.kind === 'dataReady') return { label: 'toData', to: '/user/control/personalData' }
  if (memberships.has(says.kind)) return { label: 'toMemberships', to: '/user/control/membershipCardOrderList' }
  if (says.kind === 'postRejected') return { label: 'toWaiting', to: '/user/control/waitingList' }
  return null
}

/** The red envelope to open, or the one that the member gave. */
function envelopeOf({ kind, envelopeId }: Extract<PersonalNotice, { envelopeId: string }>): { label: string; to: string } {
  return kind === 'envelopeGiven' || kind === 'envelopeEndingForYou'
    ? { label: 'toEnvelope', to: `/user/control/receiveRedEnvelopeList?envelopeId=${envelopeId}` }
    : { label: 'toGivenEnvelope', to: `/user/control/redEnvelopeAmountDistributionList?envelopeId=${envelopeId}` }
}
