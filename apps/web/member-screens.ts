import type { sessions } from '#account/contract.ts'
import type { loginLog } from '#account/login-contract.ts'
import { memberArea } from '#apps/web/member-area.ts'
import { pageIn, type LoaderArgs, type Screen } from '#apps/web/screen.ts'
import { home } from '#apps/web/screens/home.data.ts'
import { money } from '#apps/web/screens/money.data.ts'
import { envelopes } from '#apps/web/screens/envelopes.data.ts'
import { liked } from '#apps/web/screens/liked.data.ts'
import { followed } from '#apps/web/screens/followed.data.ts'
import { contacts } from '#apps/web/screens/contacts.data.ts'
import { security } from '#apps/web/screens/security.data.ts'
import { written } from '#apps/web/screens/written.data.ts'
import type { listDrafts } from '#draft/contract.ts'
import type { myInvitations } from '#invitation/contract.ts'
import type { myUnlocks, unlocksOfMine } from '#hidden-part/contract.ts'
import type { membershipCardOrderList } from '#membership/contract.ts'
import type { systemNotifyList } from '#notification/contract.ts'
import type { notificationSettings, notificationList } from '#notification/notification-contract.ts'
import type { deletedList } from '#post/contract.ts'
import type { leaving } from '#leaving/contract.ts'
import type { personalData } from '#personal-data/contract.ts'
import type { preferences } from '#preferences/contract.ts'
import type { myRemovals, myReports } from '#report/contract.ts'
import type { ownWaiting } from '#review/contract.ts'
import type { editableProfile } from '#user/contract.ts'

const features = '../../features'

const places: readonly Screen[] = [
  home,
  ...money,
  ...envelopes,
  {
    path: '/user/control/editUser',
    file: './screens/edit-user.tsx',
    load: ({ api }) => api.read<typeof editableProfile>('/user/control/editUser', {}),
  },
  ...written,
  ...liked,
  ...followed,
  {
    path: '/user/control/draftList',
    file: `${features}/draft/web/draft-list-page.tsx`,
    load: ({ api }) => api.read<typeof listDrafts>('/user/control/draftList', {}),
  },
  {
    path: '/user/control/topicUnhideList',
    file: `${features}/hidden-part/web/unlock-list-page.tsx`,
    load: unlockData,
  },
  {
    path: '/user/control/reportList',
    file: `${features}/report/web/report-list-page.tsx`,
    load: reportData,
  },
  {
    path: '/user/control/remindList',
    file: `${features}/notification/web/notification-list-page.tsx`,
    load: ({ api, url }) => api.read<typeof notificationList>('/user/control/remindList', { page: pageIn(url.searchParams) }),
  },
  {
    path: '/user/control/remindSettings',
    file: `${features}/notification/web/notification-settings-page.tsx`,
    load: ({ api }) => api.read<typeof notificationSettings>('/user/control/remindSettings', {}),
  },
  {
    path: '/user/control/systemNotifyList',
    file: `${features}/notification/web/system-notify-list-page.tsx`,
    load: ({ api, url }) => api.read<typeof systemNotifyList>('/user/control/systemNotifyList', { page: pageIn(url.searchParams) }),
  },
  {
    path: '/user/control/waitingList',
    file: `${features}/review/web/waiting-list-page.tsx`,
    load: ({ api }) => api.read<typeof ownWaiting>('/user/control/waitingList', {}),
  },
  {
    path: '/user/control/deletedList',
    file: `${features}/post/web/deleted-list-page.tsx`,
    load: ({ api }) => api.read<typeof deletedList>('/user/control/deletedList', {}),
  },
  {
    path: '/user/control/membershipCardOrderList',
    file: `${features}/membership/web/order-list-page.tsx`,
    load: ({ api, url }) =>
      api.read<typeof membershipCardOrderList>('/user/control/membershipCardOrderList', { page: pageIn(url.searchParams) }),
  },
  { path: '/user/control/settings', file: './screens/settings.tsx' },
  ...security,
  ...contacts,
  {
    path: '/user/control/invitations',
    file: `${features}/invitation/web/invitations-page.tsx`,
    load: ({ api }) => api.read<typeof myInvitations>('/user/control/invitations', {}),
  },
  {
    path: '/user/control/preferences',
    file: `${features}/preferences/web/preferences-page.tsx`,
    load: ({ api }) => api.read<typeof preferences>('/user/control/preferences', {}),
  },
  {
    path: '/user/control/leave',
    file: `${features}/leaving/web/leave-page.tsx`,
    load: ({ api }) => api.read<typeof leaving>('/user/control/leave', {}),
  },
  {
    path: '/user/control/personalData',
    file: `${features}/personal-data/web/personal-data-page.tsx`,
    load: ({ api }) => api.read<typeof personalData>('/user/control/personalData', {}),
  },
  {
    path: '/user/control/userLoginLogList',
    file: `${features}/account/web/login-log-page.tsx`,
    load: loginLogData,
  },
]

/** The pages about a member, except for messages, which need the full width. */
export const memberScreens: readonly Screen[] = places.map((screen) => ({ ...screen, within: memberArea }))

async function reportData({ api, url }: LoaderArgs) {
  const page = pageIn(url.searchParams)
  if (url.searchParams.get('view') === 'removed')
    return { reports: null, removals: await api.read<typeof myRemovals>('/user/control/removalList', { page }) }
  return { reports: await api.read<typeof myReports>('/user/control/reportList', { page }), removals: null }
}

async function unlockData({ api, url }: LoaderArgs) {
  const page = pageIn(url.searchParams)
  if (url.searchParams.get('view') === 'unlocked')
    return { ofMine: null, byMe: await api.read<typeof myUnlocks>('/user/control/topicUnlockedList', { page }) }
  return { ofMine: await api.read<typeof unlocksOfMine>('/user/control/topicUnhideList', { page }), byMe: null }
}

async function loginLogData({ api, url }: LoaderArgs) {
  const kind = (['login', 'renewal', 'reused'] as const).find((one) => one === url.searchParams.get('kind'))
  const [log, devices] = await Promise.all([
    api.read<typeof loginLog>('/user/control/userLoginLogList', { page: pageIn(url.searchParams), ...(kind && { kind }) }),
    api.read<typeof sessions>('/user/control/sessions', {}),
  ])
  return { log, devices }
}
