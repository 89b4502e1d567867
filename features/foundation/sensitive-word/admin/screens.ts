import { listLoader } from '#base/admin/list-query.ts'
import type { Screen } from '#base/admin/screen.ts'
import { sensitiveWords, type sensitiveLists } from '#sensitive-word/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/sensitiveList',
    page: () => import('#sensitive-word/admin/sensitive-lists-page.tsx'),
    title: 'sensitiveWordAdmin.lists',
    right: 'word.manage',
    group: 'content',
    aliases:
      'word filter wordfilter censor censorship banned words blocklist blacklist bad words keywords filter swear profanity 违禁词 过滤词 屏蔽词 禁词 黑名单 关键词过滤 词语过滤 脏话',
    load: ({ api }) => api.read<typeof sensitiveLists>('/admin/sensitiveList/list', {}),
  },
  {
    path: '/admin/sensitiveWord',
    under: '/admin/sensitiveList',
    page: () => import('#sensitive-word/admin/sensitive-words-page.tsx'),
    title: 'sensitiveWordAdmin.words',
    right: 'word.manage',
    load: async ({ api, url }) => {
      const [page, { lists }] = await Promise.all([
        listLoader(sensitiveWords)({ api, url }),
        api.read<typeof sensitiveLists>('/admin/sensitiveList/list', {}),
      ])
      return { page, lists }
    },
  },
]
