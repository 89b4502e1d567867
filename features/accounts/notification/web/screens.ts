import { pageIn, type Screen } from '#base/web/screen.ts'
import type { systemNotifyList } from '#notification/contract.ts'
import type { notificationList, notificationSettings, stopForm } from '#notification/notification-contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/unsubscribe',
    file: '/features/accounts/notification/web/unsubscribe-page.tsx',
    load: async ({ api, url }) => {
      const token = url.searchParams.get('token') ?? ''
      if (!/^[\w-]{43}$/.test(token)) return { token, isKnown: false, kind: null }
      return { token, ...(await api.read<typeof stopForm>('/unsubscribe', { token })) }
    },
    head: (_, __, say) => ({ title: say('notification.stopTitle'), isPrivate: true }),
  },
  {
    path: '/user/control/remindList',
    file: '/features/accounts/notification/web/notification-list-page.tsx',
    isInMemberArea: true,
    load: ({ api, url }) => api.read<typeof notificationList>('/user/control/remindList', { page: pageIn(url.searchParams) }),
  },
  {
    path: '/user/control/remindSettings',
    file: '/features/accounts/notification/web/notification-settings-page.tsx',
    isInMemberArea: true,
    load: ({ api }) => api.read<typeof notificationSettings>('/user/control/remindSettings', {}),
  },
  {
    path: '/user/control/systemNotifyList',
    file: '/features/accounts/notification/web/system-notify-list-page.tsx',
    isInMemberArea: true,
    load: ({ api, url }) => api.read<typeof systemNotifyList>('/user/control/systemNotifyList', { page: pageIn(url.searchParams) }),
  },
]
