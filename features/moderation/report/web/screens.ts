import { pageIn, type LoaderArgs, type Screen } from '#base/web/screen.ts'
import type { myRemovals, myReports } from '#report/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/user/control/reportList',
    file: '/features/moderation/report/web/report-list-page.tsx',
    isInMemberArea: true,
    load: reportData,
  },
]

async function reportData({ api, url }: LoaderArgs) {
  const page = pageIn(url.searchParams)
  if (url.searchParams.get('view') === 'removed')
    return { reports: null, removals: await api.read<typeof myRemovals>('/user/control/removalList', { page }) }
  return { reports: await api.read<typeof myReports>('/user/control/reportList', { page }), removals: null }
}
