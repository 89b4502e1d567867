import { useLoaderData } from 'react-router'
import { joinNames } from '#base/language.ts'
import { FilterChoice, Filters, FilterText } from '#base/admin/filters.tsx'
import { Head } from '#base/admin/head.tsx'
import { List, type Column } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { useDay } from '#base/web/time.tsx'
import { useLanguage, useWords, type Translate } from '#base/web/words.tsx'
import { priceText } from '#membership/admin/price.tsx'
import { couponList, couponStates, type CouponRow, type enableCoupon } from '#membership/coupon-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'

export const stateWords = { running: 'running', coming: 'coming', ended: 'ended', off: 'disabled' } as const

export function Page() {
  const words = useWords('membershipAdmin')
  const language = useLanguage()
  const day = useDay()
  const page = useLoaderData<Output<typeof couponList>>()
  return (
    <>
      <Head title={words('coupons')}>
        {mayDo('membership.manage') && (
          <Link to="/admin/coupon/view" className="button">
            {words('addCoupon')}
          </Link>
        )}
      </Head>
      <p className="meta">{words('couponsWhat')}</p>
      <List
        of={couponList}
        page={page}
        columns={columnsIn(words, language, day)}
        called={({ name }) => name}
        filters={
          <Filters>
            <FilterText name="keyword" label={words('nameOrCode')} />
            <FilterChoice
              name="state"
              label={words('state')}
              any={words('any')}
              options={couponStates.map((state) => [state, words(stateWords[state])])}
            />
          </Filters>
        }
      />
    </>
  )
}

function columnsIn(words: Translate, language: 'zh' | 'en', day: (at: string) => string): Column<CouponRow>[] {
  const texts = {
    off: (row: CouponRow) => offText(row, words, language),
    used: ({ uses, maxUses }: CouponRow) =>
      maxUses === null ? words('number', { count: uses }) : words('usedOf', { uses, most: maxUses }),
    cards: ({ cards }: CouponRow) =>
      joinNames(
        language,
        cards.map(({ name }) => name[language]),
      ) || words('allCards'),
  }
  return [
    {
      name: 'name',
      label: words('coupon'),
      show: ({ id, name }) =>
        mayDo('membership.manage') ? <Link to={`/admin/coupon/view?couponId=${id}`}>{name}</Link> : <bdi>{name}</bdi>,
      text: ({ name }) => name,
    },
    { name: 'off', label: words('off'), show: texts.off, text: texts.off },
    { name: 'used', label: words('uses'), show: texts.used, text: texts.used },
    { name: 'from', label: words('from'), show: ({ startsAt }) => day(startsAt), text: ({ startsAt }) => startsAt },
    {
      name: 'until',
      label: words('until'),
      show: ({ endsAt }) => (endsAt ? day(endsAt) : words('noEnd')),
      text: ({ endsAt }) => endsAt,
    },
    { name: 'cards', label: words('forCards'), show: texts.cards, text: texts.cards },
    {
      name: 'state',
      label: words('state'),
      show: ({ state }) => <span className="mark">{words(stateWords[state])}</span>,
      text: ({ state }) => words(stateWords[state]),
    },
    { name: 'actions', label: words('actions'), show: (row) => mayDo('membership.manage') && <Enable coupon={row} /> },
  ]
}

function offText({ percent, off }: CouponRow, words: Translate, language: string): string {
  return percent === null ? priceText(off, words, language) : words('percentOff', { percent })
}

export function Enable({ coupon: { id, isEnabled } }: { coupon: CouponRow }) {
  const words = useWords('membershipAdmin')
  const enable = useAction<typeof enableCoupon>('/admin/coupon/enable')
  return (
    <button
      type="button"
      className="plain"
      disabled={enable.isBusy}
      onClick={() => void enable.run({ couponId: id, isEnabled: !isEnabled }, { message: words(isEnabled ? 'nowDisabled' : 'nowEnabled') })}
    >
      {words(isEnabled ? 'disable' : 'enable')}
    </button>
  )
}
