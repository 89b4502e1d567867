import { redirect } from 'react-router'
import { byFeature } from '#apps/web/lists/screens.ts'
import { readingScreens } from '#apps/web/reading-screens.ts'
import { idIn, type Screen } from '#base/web/screen.ts'
import { memberPageHead } from '#apps/web/member-pages.ts'
import { home } from '#apps/web/screens/home.data.ts'
import { messages } from '#apps/web/screens/messages.data.ts'
import { security } from '#apps/web/screens/security.data.ts'
import type { loginForm, registerForm } from '#account/contract.ts'
import type { listTags, myTags } from '#tag/contract.ts'
import type { editableTopic, topicForm } from '#topic/contract.ts'
import type { editableProfile } from '#user/contract.ts'

/** The screens of several features together. */
const joint: readonly Screen[] = [
  {
    path: '/login',
    file: '/apps/web/screens/login.tsx',
    load: ({ api }) => api.read<typeof loginForm>('/account/loginForm', {}),
    head: (_, __, say) => ({ title: say('account.loginTitle'), isPrivate: true }),
  },
  {
    path: '/register',
    file: '/apps/web/screens/register.tsx',
    load: ({ api }) => api.read<typeof registerForm>('/account/registerForm', {}),
    head: (_, __, say) => ({ title: say('account.registerTitle'), isPrivate: true }),
  },
  {
    path: '/thirdParty/loginRedirect',
    file: '/apps/web/screens/login-redirect.tsx',
    load: ({ api }) => api.read<typeof registerForm>('/account/registerForm', {}),
    head: (_, __, say) => ({ title: say('identity.arrivingTitle'), isPrivate: true }),
  },
  {
    path: '/addTopic',
    file: '/apps/web/screens/add-topic.tsx',
    load: async ({ api, isMember }) => {
      const { tags } = await api.read<typeof listTags>('/tag/list', {}, { shared: true })
      if (!isMember) return { tags, publishIn: [], mostTags: 1, newcomer: null }
      const [{ publishIn }, { newcomer, mostTags }] = await Promise.all([
        api.read<typeof myTags>('/tag/mine', {}),
        api.read<typeof topicForm>('/topic/form', {}),
      ])
      return { tags, publishIn, mostTags, newcomer }
    },
    head: (_, __, say) => ({ title: say('topic.addTitle'), isPrivate: true }),
  },
  {
    path: '/addQuestion',
    file: '/apps/web/screens/add-question.tsx',
    load: async ({ api, isMember }) => {
      const { tags } = await api.read<typeof listTags>('/tag/list', {}, { shared: true })
      if (!isMember) return { tags, askIn: [], mostTags: 1, newcomer: null }
      const [{ askIn }, { newcomer, mostTags }] = await Promise.all([
        api.read<typeof myTags>('/tag/mine', {}),
        api.read<typeof topicForm>('/topic/form', {}),
      ])
      return { tags, askIn, mostTags, newcomer }
    },
    head: (_, __, say) => ({ title: say('question.addTitle'), isPrivate: true }),
  },
  {
    path: '/user/editQuestion',
    file: '/apps/web/screens/edit-question.tsx',
    load: async ({ api, url }) => {
      const questionId = idIn(url.searchParams, 'questionId') ?? ''
      const topic = await api.read<typeof editableTopic>('/user/editTopic', { topicId: questionId })
      if (topic.kind === 'topic') throw redirect(`/user/editTopic?topicId=${questionId}`)
      const [{ tags }, { askIn }] = await Promise.all([
        api.read<typeof listTags>('/tag/list', {}, { shared: true }),
        api.read<typeof myTags>('/tag/mine', {}),
      ])
      return { topic, tags, mayPostIn: askIn }
    },
    head: (_, __, say) => ({ title: say('topic.editTitle', { kind: 'question' }), isPrivate: true }),
  },
  {
    path: '/user/control/editUser',
    file: '/apps/web/screens/edit-user.tsx',
    isInMemberArea: true,
    load: ({ api }) => api.read<typeof editableProfile>('/user/control/editUser', {}),
  },
  { path: '/user/control/settings', file: '/apps/web/screens/settings.tsx', isInMemberArea: true },
  home,
  ...security,
  ...messages,
]

const others = [joint, ...Object.values(byFeature)].flat().filter((screen) => !readingScreens.includes(screen))

/** The screens whose metadata the browser loads on demand. One without a head takes its title from the member area. */
export const otherScreens: readonly Screen[] = others.map((screen) => ({
  head: (data, _, say) => memberPageHead(screen.path, data, say),
  ...screen,
}))

/** Every screen of the members' site. Any other address leads to the index. */
export const screens: readonly Screen[] = [...readingScreens, ...otherScreens]
