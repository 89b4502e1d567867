import type { Api } from '#base/contract.ts'
import { matchesWords } from '#base/admin/matches-words.ts'
import { bothLanguages } from '#base/both-languages.ts'
import type { couponList } from '#membership/coupon-contract.ts'
import type { membershipCardsForStaff } from '#membership/staff-contract.ts'

const maxResults = 5

export async function findCards(typed: string, api: Api) {
  const { cards } = await api.read<typeof membershipCardsForStaff>('/admin/membershipCard/list', {})
  return cards
    .filter(({ name }) =>
      matchesWords(
        typed,
        bothLanguages.map((language) => name[language]),
      ),
    )
    .slice(0, maxResults)
    .map(({ id, name }) => ({
      name: name.zh === name.en ? name.zh : `${name.zh} / ${name.en}`,
      to: `/admin/membershipCard/edit?cardId=${id}`,
    }))
}

export async function findCoupons(typed: string, api: Api) {
  const { rows } = await api.read<typeof couponList>('/admin/coupon/list', { keyword: typed.slice(0, 90) })
  return rows.slice(0, maxResults).map(({ id, name }) => ({ name, to: `/admin/coupon/view?couponId=${id}` }))
}
