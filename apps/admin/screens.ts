import { assistantScreens } from '#apps/admin/assistant-screens.ts'
import { contentScreens } from '#apps/admin/content-screens.ts'
import { deliveryScreens } from '#apps/admin/delivery-screens.ts'
import { helpScreens } from '#apps/admin/help-screens.ts'
import { maintenanceScreens } from '#apps/admin/maintenance-screens.ts'
import { memberScreens } from '#apps/admin/member-screens.ts'
import { envelopeScreens } from '#apps/admin/envelope-screens.ts'
import { membershipOrderScreens } from '#apps/admin/membership-order-screens.ts'
import { membershipScreens } from '#apps/admin/membership-screens.ts'
import { paymentScreens } from '#apps/admin/payment-screens.ts'
import { reportScreens } from '#apps/admin/report-screens.ts'
import { reviewScreens } from '#apps/admin/review-screens.ts'
import type { Screen } from '#apps/admin/screen.ts'
import { auditLog } from '#audit/contract.ts'
import { listLoader } from '#base/admin/list-query.ts'
import { batches } from '#batch/contract.ts'
import type { sectionList, slotList } from '#frame/contract.ts'
import type { listLook } from '#look/contract.ts'
import type { listSettings } from '#setting/staff-contract.ts'
import type { ownSessions, staffList, staffRoles } from '#staff/contract.ts'
import type { me } from '#staff/right-contract.ts'
import { walletScreens } from '#apps/admin/wallet-screens.ts'
import { readRange } from '#statistic/admin/read-range.ts'
import { pageViewList, type dashboard } from '#statistic/contract.ts'

const features = '../../features'

/** Every screen of the administration, in menu order. A feature adds a line here and a file in its folder `admin`. */
export const screens: readonly Screen[] = [
  {
    path: '/admin/dashboard',
    file: `${features}/statistic/admin/dashboard-page.tsx`,
    title: 'statisticAdmin.dashboard',
    right: 'statistic.view',
    group: 'overview',
    load: ({ api, url }) => api.read<typeof dashboard>('/admin/dashboard', readRange(url.searchParams).range),
  },
  {
    path: '/admin/pageView',
    file: `${features}/statistic/admin/page-views-page.tsx`,
    title: 'statisticAdmin.pageViews',
    right: 'statistic.view',
    group: 'overview',
    load: listLoader(pageViewList),
  },
  ...reviewScreens,
  ...reportScreens,
  ...contentScreens,
  ...memberScreens,
  ...walletScreens,
  ...membershipScreens,
  ...membershipOrderScreens,
  ...paymentScreens,
  ...envelopeScreens,
  ...helpScreens,
  {
    path: '/admin/setting',
    file: `${features}/setting/admin/settings-page.tsx`,
    title: 'settingAdmin.settings',
    right: 'setting.view',
    group: 'site',
    load: ({ api }) => api.read<typeof listSettings>('/admin/setting/list', {}),
  },
  ...deliveryScreens,
  ...assistantScreens,
  {
    path: '/admin/look',
    file: `${features}/look/admin/look-page.tsx`,
    title: 'lookAdmin.look',
    right: 'setting.view',
    group: 'site',
    load: ({ api }) => api.read<typeof listLook>('/admin/look/list', {}),
  },
  {
    path: '/admin/section',
    file: `${features}/frame/admin/sections-page.tsx`,
    title: 'frameAdmin.sections',
    right: 'frame.manage',
    group: 'site',
    load: ({ api }) => api.read<typeof sectionList>('/admin/section/list', {}),
  },
  {
    path: '/admin/slot',
    file: `${features}/frame/admin/slots-page.tsx`,
    title: 'frameAdmin.slots',
    right: 'frame.manage',
    group: 'site',
    load: ({ api }) => api.read<typeof slotList>('/admin/slot/list', {}),
  },
  {
    path: '/admin/staff',
    file: `${features}/staff/admin/staff-page.tsx`,
    title: 'staffAdmin.staff',
    right: 'staff.manage',
    group: 'house',
    load: async ({ api }) => {
      const [{ staff }, { roles }] = await Promise.all([
        api.read<typeof staffList>('/admin/staff/list', {}),
        api.read<typeof staffRoles>('/admin/staffRole/list', {}),
      ])
      return { staff, roles }
    },
  },
  {
    path: '/admin/staffRole',
    file: `${features}/staff/admin/staff-roles-page.tsx`,
    title: 'staffAdmin.roles',
    right: 'staff.manage',
    group: 'house',
    load: ({ api }) => api.read<typeof staffRoles>('/admin/staffRole/list', {}),
  },
  {
    path: '/admin/audit',
    file: `${features}/audit/admin/audit-page.tsx`,
    title: 'auditAdmin.log',
    right: 'audit.view',
    group: 'house',
    load: listLoader(auditLog),
  },
  {
    path: '/admin/batch',
    file: `${features}/batch/admin/batches-page.tsx`,
    title: 'batchAdmin.batches',
    right: ['content.view', 'member.view'],
    group: 'house',
    load: listLoader(batches),
  },
  ...maintenanceScreens,
  {
    path: '/admin/self',
    file: `${features}/staff/admin/self-page.tsx`,
    title: 'staffAdmin.self',
    right: 'self',
    load: async ({ api }) => {
      const [who, { sessions }] = await Promise.all([
        api.read<typeof me>('/admin/me', {}),
        api.read<typeof ownSessions>('/admin/session/list', {}),
      ])
      return { who, sessions }
    },
  },
]
