import { helpScreens } from '#apps/admin/help-screens.ts'
import { reportScreens } from '#apps/admin/report-screens.ts'
import type { Screen } from '#apps/admin/screen.ts'
import { auditLog } from '#audit/contract.ts'
import { listQuery } from '#base/admin/list-query.ts'
import type { fieldList } from '#field/contract.ts'
import { memberList, type memberView } from '#member/contract.ts'
import type { roleList } from '#role/contract.ts'
import { cleanings } from '#tidying/contract.ts'
import type { listSettings } from '#setting/contract.ts'
import type { Api } from '#base/contract.ts'
import {
  batches,
  commentsForStaff,
  remarksForStaff,
  repliesForStaff,
  topicsForStaff,
  type placesForStaff,
  type topicForStaff,
} from '#content/contract.ts'
import { loadQueue } from '#review/admin/queue.data.ts'
import { sensitiveWords, type sensitiveLists } from '#sensitive-word/contract.ts'
import type { me, ownSessions, staffList, staffRoles } from '#staff/contract.ts'
import { dashboard, pageViewList } from '#statistic/contract.ts'
import type { tagsForStaff } from '#tag/contract.ts'

const features = '../../features'

/** Every screen of the administration. A feature brings its own by a line here and a file in its folder `admin`. */
export const screens: readonly Screen[] = [
  {
    path: '/admin/dashboard',
    file: `${features}/statistic/admin/dashboard-page.tsx`,
    title: 'statisticAdmin.dashboard',
    right: 'statistic.view',
    group: 'overview',
    load: ({ api, url }) => api.read<typeof dashboard>('/admin/dashboard', listQuery(dashboard, url)),
  },
  {
    path: '/admin/pageView',
    file: `${features}/statistic/admin/page-views-page.tsx`,
    title: 'statisticAdmin.pageViews',
    right: 'statistic.view',
    group: 'overview',
    load: ({ api, url }) => api.read<typeof pageViewList>('/admin/pageView/list', listQuery(pageViewList, url)),
  },
  ...reportScreens,
  ...helpScreens,
  {
    path: '/admin/setting',
    file: `${features}/setting/admin/settings-page.tsx`,
    title: 'settingAdmin.settings',
    right: 'setting.view',
    group: 'site',
    load: ({ api }) => api.read<typeof listSettings>('/admin/setting/list', {}),
  },
  {
    path: '/admin/topic',
    file: `${features}/content/admin/topics-page.tsx`,
    title: 'contentAdmin.topics',
    right: 'content.view',
    group: 'content',
    load: ({ api, url }) => withTags(api, api.read<typeof topicsForStaff>('/admin/topic/list', listQuery(topicsForStaff, url))),
  },
  {
    path: '/admin/topic/view',
    file: `${features}/content/admin/topic-page.tsx`,
    title: 'contentAdmin.topic',
    right: 'content.view',
    load: async ({ api, url }) => {
      const asked = listQuery(remarksForStaff, url)
      const [topic, remarks, { tags }] = await Promise.all([
        api.read<typeof topicForStaff>('/admin/topic/view', { topicId: asked.topicId }),
        api.read<typeof remarksForStaff>('/admin/topic/remarks', asked),
        api.read<typeof placesForStaff>('/admin/topic/tags', {}),
      ])
      return { topic, remarks, tags }
    },
  },
  {
    path: '/admin/comment',
    file: `${features}/content/admin/comments-page.tsx`,
    title: 'contentAdmin.comments',
    right: 'content.view',
    group: 'content',
    load: ({ api, url }) => withTags(api, api.read<typeof commentsForStaff>('/admin/comment/list', listQuery(commentsForStaff, url))),
  },
  {
    path: '/admin/reply',
    file: `${features}/content/admin/replies-page.tsx`,
    title: 'contentAdmin.replies',
    right: 'content.view',
    group: 'content',
    load: ({ api, url }) => withTags(api, api.read<typeof repliesForStaff>('/admin/reply/list', listQuery(repliesForStaff, url))),
  },
  {
    path: '/admin/tag',
    file: `${features}/content/admin/tags-page.tsx`,
    title: 'contentAdmin.tags',
    right: 'tag.manage',
    group: 'content',
    load: ({ api }) => api.read<typeof tagsForStaff>('/admin/tag/list', {}),
  },
  {
    path: '/admin/batch',
    file: `${features}/content/admin/batches-page.tsx`,
    title: 'contentAdmin.batches',
    right: 'content.view',
    group: 'content',
    load: ({ api, url }) => api.read<typeof batches>('/admin/batch/list', listQuery(batches, url)),
  },
  {
    path: '/admin/review',
    file: `${features}/review/admin/review-page.tsx`,
    title: 'reviewAdmin.queue',
    right: 'content.review',
    group: 'content',
    load: loadQueue,
  },
  {
    path: '/admin/sensitiveList',
    file: `${features}/sensitive-word/admin/sensitive-lists-page.tsx`,
    title: 'sensitiveWordAdmin.lists',
    right: 'word.manage',
    group: 'content',
    load: ({ api }) => api.read<typeof sensitiveLists>('/admin/sensitiveList/list', {}),
  },
  {
    path: '/admin/sensitiveWord',
    file: `${features}/sensitive-word/admin/sensitive-words-page.tsx`,
    title: 'sensitiveWordAdmin.words',
    right: 'word.manage',
    load: async ({ api, url }) => {
      const [page, { lists }] = await Promise.all([
        api.read<typeof sensitiveWords>('/admin/sensitiveWord/list', listQuery(sensitiveWords, url)),
        api.read<typeof sensitiveLists>('/admin/sensitiveList/list', {}),
      ])
      return { page, lists }
    },
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
    load: ({ api, url }) => api.read<typeof auditLog>('/admin/audit/list', listQuery(auditLog, url)),
  },
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
  {
    path: '/admin/member',
    file: `${features}/member/admin/members-page.tsx`,
    title: 'memberAdmin.members',
    right: 'member.view',
    group: 'members',
    load: ({ api, url }) => api.read<typeof memberList>('/admin/member/list', listQuery(memberList, url)),
  },
  {
    path: '/admin/member/view',
    file: `${features}/member/admin/member-page.tsx`,
    title: 'memberAdmin.member',
    right: 'member.view',
    load: ({ api, url }) => api.read<typeof memberView>('/admin/member/view', { memberId: url.searchParams.get('memberId') ?? '' }),
  },
  {
    path: '/admin/cleaning',
    file: `${features}/tidying/admin/cleanings-page.tsx`,
    title: 'tidyingAdmin.cleanings',
    right: 'member.view',
    group: 'members',
    load: async ({ api, url }) => {
      const memberId = url.searchParams.get('memberId')
      const [page, member] = await Promise.all([
        api.read<typeof cleanings>('/admin/cleaning/list', listQuery(cleanings, url)),
        memberId ? api.read<typeof memberView>('/admin/member/view', { memberId }) : null,
      ])
      return { page, member }
    },
  },
  {
    path: '/admin/role',
    file: `${features}/role/admin/roles-page.tsx`,
    title: 'roleAdmin.roles',
    right: 'role.manage',
    group: 'members',
    load: ({ api }) => api.read<typeof roleList>('/admin/role/list', {}),
  },
  {
    path: '/admin/field',
    file: `${features}/field/admin/fields-page.tsx`,
    title: 'fieldAdmin.fields',
    right: 'setting.change',
    group: 'members',
    load: ({ api }) => api.read<typeof fieldList>('/admin/field/list', {}),
  },
]

async function withTags<Page>(api: Api, list: Promise<Page>) {
  const [page, { tags }] = await Promise.all([list, api.read<typeof placesForStaff>('/admin/topic/tags', {})])
  return { page, tags }
}
