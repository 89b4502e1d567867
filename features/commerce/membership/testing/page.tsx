// First, because it tells zod that the page's policy forbids code from strings.
import '#base/web/no-eval.ts'
import { api, query, renderTestPage } from '#base/testing/test-page.tsx'
import '#base/web/form.tsx'
import { DialogHost } from '#base/web/dialog-host.tsx'
import { Toasts } from '#base/web/toast.tsx'
import { member, type Me } from '#account/web/account.tsx'
import type { membershipCard, membershipCardList, membershipCardOrderList } from '#membership/contract.ts'
import { Page as Card } from '#membership/web/card-page.tsx'
import { Page as Cards } from '#membership/web/card-list-page.tsx'
import { Page as Orders } from '#membership/web/order-list-page.tsx'
import { site, type Site } from '#setting/web/setting.tsx'

/** A test page: the cards on sale, one card, and the orders of a member. */

async function loadCard() {
  const read = (language: 'zh' | 'en') => api.read<typeof membershipCard>('/membershipCard', { membershipCardId: '1', language })
  const [zh, en] = await Promise.all([read('zh'), read('en')])
  return { zh, en }
}

function framed(Screen: () => React.JSX.Element) {
  return () => (
    <main>
      <Screen />
      <Toasts />
      <DialogHost />
    </main>
  )
}

site.set({ apiUrl: '/api', open: { topUps: !query.has('noTopUps') }, frame: { sellsMembership: true } } as unknown as Site)
member.set(query.has('visitor') ? null : ({ userId: '7' } as Me))
renderTestPage([
  { path: '/membershipCardList', Component: framed(Cards), loader: () => api.read<typeof membershipCardList>('/membershipCard/list', {}) },
  { path: '/membershipCard', Component: framed(Card), loader: loadCard },
  {
    path: '/user/control/membershipCardOrderList',
    Component: framed(Orders),
    loader: () => api.read<typeof membershipCardOrderList>('/user/control/membershipCardOrderList', { page: 1 }),
  },
  { path: '*', Component: framed(() => <p>Elsewhere</p>) },
])
