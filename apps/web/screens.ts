import { redirect } from 'react-router'
import { readingScreens } from '#apps/web/reading-screens.ts'
import { idIn, type Screen } from '#base/web/screen.ts'
import { memberPageHead } from '#apps/web/member-pages.ts'
import { home } from '#apps/web/screens/home.data.ts'
import { messages } from '#apps/web/screens/messages.data.ts'
import { security } from '#apps/web/screens/security.data.ts'
import { screens as about } from '#about/web/screens.ts'
import { screens as account } from '#account/web/screens.ts'
import { screens as accountSecurity } from '#account-security/web/screens.ts'
import { screens as activity } from '#activity/web/screens.ts'
import { screens as assistant } from '#assistant/web/screens.ts'
import { screens as comment } from '#comment/web/screens.ts'
import { screens as contact } from '#contact/web/screens.ts'
import { screens as draft } from '#draft/web/screens.ts'
import { screens as favourite } from '#favourite/web/screens.ts'
import { screens as feedback } from '#feedback/web/screens.ts'
import { screens as follow } from '#follow/web/screens.ts'
import { screens as hiddenPart } from '#hidden-part/web/screens.ts'
import { screens as identity } from '#identity/web/screens.ts'
import { screens as invitation } from '#invitation/web/screens.ts'
import { screens as leaving } from '#leaving/web/screens.ts'
import { screens as like } from '#like/web/screens.ts'
import { screens as membership } from '#membership/web/screens.ts'
import { screens as notification } from '#notification/web/screens.ts'
import { screens as payment } from '#payment/web/screens.ts'
import { screens as personalData } from '#personal-data/web/screens.ts'
import { screens as post } from '#post/web/screens.ts'
import { screens as preferences } from '#preferences/web/screens.ts'
import { screens as realName } from '#real-name/web/screens.ts'
import { screens as redEnvelope } from '#red-envelope/web/screens.ts'
import { screens as report } from '#report/web/screens.ts'
import { screens as review } from '#review/web/screens.ts'
import { screens as topic } from '#topic/web/screens.ts'
import { screens as wallet } from '#wallet/web/screens.ts'
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

const others: readonly Screen[] = [
  joint,
  about,
  account,
  accountSecurity,
  activity,
  assistant,
  comment,
  contact,
  draft,
  favourite,
  feedback,
  follow,
  hiddenPart,
  identity,
  invitation,
  leaving,
  like,
  membership,
  notification,
  payment,
  personalData,
  post,
  preferences,
  realName,
  redEnvelope,
  report,
  review,
  topic,
  wallet,
].flat()

/** The screens whose metadata the browser loads on demand. One without a head takes its title from the member area. */
export const otherScreens: readonly Screen[] = others.map((screen) => ({
  head: (data, _, say) => memberPageHead(screen.path, data, say),
  ...screen,
}))

/** Every screen of the members' site. Any other address leads to the index. */
export const screens: readonly Screen[] = [...readingScreens, ...otherScreens]
