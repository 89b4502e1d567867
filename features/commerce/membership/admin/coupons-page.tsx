import { useLoaderData } from 'react-router'
import { joinNames } from '#base/language.ts'
import { Head } from '#base/admin/head.tsx'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { useDay } from '#base/web/time.tsx'
import { useLanguage, useWords, type Translate } from '#base/web/words.tsx'
import { priceText } from '#membership/admin/price.tsx'
import { couponList, type CouponRow, type enableCoupon } from '#membership/coupon-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'

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
      <StaffList of={couponList} page={page} cells={couponCells(words, language, day)} />
    </>
  )
}

function couponCells(words: Translate, language: 'zh' | 'en', day: (at: string) => string): CellsOf<typeof couponList> {
  const namesOf = (row: CouponRow) => row.cards.map(({ name }) => name[language])
  return {
    name: {
      show: ({ id, name }) =>
        mayDo('membership.manage') ? <Link to={`/admin/coupon/view?couponId=${id}`}>{name}</Link> : <bdi>{name}</bdi>,
    },
    off: { text: (row) => offText(row, words, language) },
    uses: {
      text: ({ uses, maxUses }) => (maxUses === null ? words('number', { count: uses }) : words('usedOf', { uses, most: maxUses })),
    },
    startsAt: { show: ({ startsAt }) => day(startsAt) },
    endsAt: { show: ({ endsAt }) => (endsAt ? day(endsAt) : words('noEnd')) },
    cards: { text: (row) => joinNames(language, namesOf(row)) || words('allCards') },
    state: { show: ({ state }) => <span className="mark">{words(state === 'off' ? 'disabled' : state)}</span> },
    actions: { show: (row) => mayDo('membership.manage') && <Enable coupon={row} /> },
  }
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
