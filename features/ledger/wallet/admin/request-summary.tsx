import { isolate } from '#base/direction.ts'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords, type Translate } from '#base/web/words.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import type { RequestDetail, RequestView } from '#wallet/request-contract.ts'
import { amountText } from '#wallet/web/wallet.tsx'
import css from '#wallet/admin/wallet.module.css'

// Kinds with texts that omit the member.
const kindsWithoutMember: ReadonlySet<RequestView['kind']> = new Set(['reversal', 'orderRefund', 'topUpRefund', 'paymentBooking'])

export function RequestSummary({ row }: { row: RequestView }) {
  const words = useWords('walletAdmin')
  const language = useLanguage()
  const [text, path] = [requestSummary(row, words, language), pathOf(row)]
  return (
    <div className={css.what}>
      {path ? <Link to={path}>{text}</Link> : text}
      {kindsWithoutMember.has(row.kind) && row.member && (
        <span className="meta">
          {' · '}
          <Link to={`/admin/wallet/member?memberId=${row.member.id}`}>{row.member.name}</Link>
        </span>
      )}
      {row.topicId !== null && (
        <span className="meta">
          {' · '}
          {mayDo('content.view') ? <Link to={`/admin/topic/view?topicId=${row.topicId}`}>{titleOf(row, words)}</Link> : titleOf(row, words)}
        </span>
      )}
    </div>
  )
}

/** The effect as plain text; `isAlone` adds topic and amounts, for a dialog without columns. */
export function requestSummary(row: RequestView, words: Translate, language: string, isAlone = false): string {
  const { kind, member, reverses, detail } = row
  const does = {
    adjustment: () => words('doesadjustment', { name: member?.name ?? '' }),
    reversal: () => words('doesreversal', { id: reverses ?? '' }),
    refund: () => words('doesrefund', { name: member?.name ?? '' }),
    topicRefund: () => words('doestopicRefund', { count: detail.purchases ?? 0 }),
    bountyChange: () => bountyChange(detail, words, language),
    adoption: () => words(detail.answer?.isBest ? 'doesadopt' : 'doesunadopt'),
    orderRefund: () => words('doesorderRefund', { number: detail.order?.number ?? '' }),
    topUpRefund: () => words('doestopUpRefund', { number: detail.payment?.number ?? '' }),
    paymentCredit: () => words('doespaymentCredit', { name: member?.name ?? '', id: detail.event?.id ?? '' }),
    paymentBooking: () => words('doespaymentBooking', { number: detail.payment?.number ?? '', id: detail.event?.id ?? '' }),
  } satisfies Record<RequestView['kind'], () => string>
  if (!isAlone) return does[kind]()
  // The text of a changed bounty includes its amounts.
  const amounts =
    kind === 'bountyChange'
      ? []
      : row.amounts.map(({ amount, currency }) => sumIn(words, language, currency, amount, kind === 'adjustment'))
  return [does[kind](), row.topicId !== null && isolate(titleOf(row, words)), amounts.join(', ')].filter(Boolean).join(' · ')
}

function bountyChange({ bounty }: RequestDetail, words: Translate, language: string): string {
  const format = ({ points, cash }: NonNullable<RequestDetail['bounty']>['from']) =>
    [points !== null && sumIn(words, language, 'points', points), cash !== null && sumIn(words, language, 'cny', cash)]
      .filter((one) => one !== false)
      .join(' + ')
  if (!bounty) return words('kindbountyChange')
  const [from, to] = [format(bounty.from), format(bounty.to)]
  return to === '' ? words('doesbountyReturn', { from }) : words('doesbountyChange', { from, to })
}

function sumIn(words: Translate, language: string, currency: 'points' | 'cny', amount: string, isMove = false): string {
  const text = amountText(amount, currency, language, isMove)
  return currency === 'points' ? `${text} ${words('points')}` : text
}

function titleOf({ topic, topicId }: RequestView, words: Translate): string {
  return topic?.title ?? words('topicCalled', { id: topicId ?? '' })
}

function pathOf({ kind, member, reverses, detail }: RequestView): string | null {
  if (detail.order && mayDo('membership.view')) return `/admin/membershipOrder/view?orderId=${detail.order.id}`
  if (detail.payment && mayDo('payment.view')) return `/admin/payment/view?number=${detail.payment.number}`
  if (detail.event && mayDo('payment.view')) return `/admin/payment/event/view?eventId=${detail.event.id}`
  if (reverses !== null) return `/admin/wallet/transaction?transactionId=${reverses}`
  return kind === 'adjustment' && member ? `/admin/wallet/member?memberId=${member.id}` : null
}
