import { idIn, type LoaderArgs, type Screen } from '#base/web/screen.ts'
import type { EntryKind } from '#wallet/contract.ts'
import type { balance, point, pointRules } from '#wallet/log-contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/user/control/point',
    file: '/features/ledger/wallet/web/point-page.tsx',
    isInMemberArea: true,
    load: loadPoint,
    head: (_, __, say) => ({ title: say('wallet.points'), description: say('wallet.pointsWhat'), canonical: '/user/control/point' }),
    isPublic: true,
    isRare: true,
  },
  {
    path: '/user/control/balance',
    file: '/features/ledger/wallet/web/balance-page.tsx',
    isInMemberArea: true,
    load: ({ api, url }) => api.read<typeof balance>('/user/control/balance', logIn(url)),
  },
]

async function loadPoint({ api, url, isMember }: LoaderArgs) {
  const [rules, own] = await Promise.all([
    api.read<typeof pointRules>('/point/rules', {}, { shared: true }),
    isMember ? api.read<typeof point>('/user/control/point', logIn(url)) : null,
  ])
  return { rules, own }
}

/** The log parameters of a query. The endpoint validates the kinds. */
function logIn({ searchParams }: URL) {
  const kind = searchParams.get('kind') as EntryKind | null
  const day = searchParams.get('day') ?? ''
  const before = idIn(searchParams, 'before')
  return { ...(kind && { kind }), ...(isDay(day) && { day }), ...(before && { before }) }
}

function isDay(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    text >= '1970-01-01' &&
    !Number.isNaN(Date.parse(text)) &&
    new Date(text).toISOString().startsWith(text)
  )
}
