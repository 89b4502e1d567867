import { redirect } from 'react-router'
import type { about } from '#about/contract.ts'
import type { Api, Output } from '#base/contract.ts'
import type { loginForm, registerForm } from '#account/contract.ts'
import type { recoverForm } from '#account/recover-contract.ts'
import { readingScreens } from '#apps/web/reading-screens.ts'
import { idIn, type Screen } from '#apps/web/screen.ts'
import { memberPageHead } from '#apps/web/member-pages.ts'
import { memberScreens } from '#apps/web/member-screens.ts'
import { providerScreens } from '#apps/web/screens/money.data.ts'
import { memberships } from '#apps/web/screens/memberships.data.ts'
import { messages } from '#apps/web/screens/messages.data.ts'
import type { feedbackForm } from '#feedback/contract.ts'
import type { stopForm } from '#notification/notification-contract.ts'
import type { bountyForm } from '#bounty/contract.ts'
import type { envelopeForm } from '#red-envelope/contract.ts'
import type { listTags, myTags } from '#tag/contract.ts'
import type { editableTopic, topicForm } from '#topic/contract.ts'

const features = '../../features'

const others: readonly Screen[] = [
  {
    path: '/about',
    file: `${features}/about/web/about-page.tsx`,
    load: ({ api }) => api.read<typeof about>('/about', {}, { shared: true }),
    head: ({ says }: Output<typeof about>, language, say) => ({
      title: say('about.title'),
      ...(says[language] && { description: says[language] }),
      canonical: '/about',
    }),
    isPublic: true,
    isRare: true,
  },
  {
    path: '/feedback',
    file: `${features}/feedback/web/feedback-page.tsx`,
    load: ({ api }) => api.read<typeof feedbackForm>('/feedback/form', {}),
    head: (_, __, say) => ({ title: say('site.feedback'), isPrivate: true }),
  },
  {
    path: '/unsubscribe',
    file: `${features}/notification/web/unsubscribe-page.tsx`,
    load: async ({ api, url }) => {
      const token = url.searchParams.get('token') ?? ''
      if (!/^[\w-]{43}$/.test(token)) return { token, isKnown: false, kind: null }
      return { token, ...(await api.read<typeof stopForm>('/unsubscribe', { token })) }
    },
    head: (_, __, say) => ({ title: say('notification.stopTitle'), isPrivate: true }),
  },
  {
    path: '/login',
    file: './screens/login.tsx',
    load: ({ api }) => api.read<typeof loginForm>('/account/loginForm', {}),
    head: (_, __, say) => ({ title: say('account.loginTitle'), isPrivate: true }),
  },
  {
    path: '/register',
    file: './screens/register.tsx',
    load: ({ api }) => api.read<typeof registerForm>('/account/registerForm', {}),
    head: (_, __, say) => ({ title: say('account.registerTitle'), isPrivate: true }),
  },
  {
    path: '/findPassWord/step1',
    file: `${features}/account/web/recover-page.tsx`,
    load: ({ api }) => api.read<typeof recoverForm>('/findPassWord/step1', {}),
    head: (_, __, say) => ({ title: say('account.recoverTitle'), isPrivate: true }),
  },
  {
    path: '/findPassWord/step2',
    file: `${features}/account/web/new-password-page.tsx`,
    head: (_, __, say) => ({ title: say('account.newPasswordTitle'), isPrivate: true }),
  },
  {
    path: '/takeBack',
    file: `${features}/account/web/take-back-page.tsx`,
    head: (_, __, say) => ({ title: say('account.takeBackTitle'), isPrivate: true }),
  },
  {
    path: '/thirdParty/loginRedirect',
    file: './screens/login-redirect.tsx',
    load: ({ api }) => api.read<typeof registerForm>('/account/registerForm', {}),
    head: (_, __, say) => ({ title: say('identity.arrivingTitle'), isPrivate: true }),
  },
  {
    path: '/addTopic',
    file: './screens/add-topic.tsx',
    load: async ({ api, isMember }) => {
      const { tags } = await api.read<typeof listTags>('/tag/list', {}, { shared: true })
      if (!isMember) return { tags, publishIn: [], mostTags: 1, newcomer: null, giving: null }
      const [{ publishIn }, { newcomer, mostTags }, giving] = await Promise.all([
        api.read<typeof myTags>('/tag/mine', {}),
        api.read<typeof topicForm>('/topic/form', {}),
        api.read<typeof envelopeForm>('/redEnvelope/form', {}),
      ])
      return { tags, publishIn, mostTags, newcomer, giving }
    },
    head: (_, __, say) => ({ title: say('topic.addTitle'), isPrivate: true }),
  },
  {
    path: '/user/editTopic',
    file: `${features}/topic/web/edit-topic-page.tsx`,
    async load({ api, url }) {
      const topic = await api.read<typeof editableTopic>('/user/editTopic', { topicId: idIn(url.searchParams, 'topicId') ?? '' })
      if (topic.kind === 'question') throw redirect(`/user/editQuestion?questionId=${topic.topicId}`)
      const [{ tags }, { publishIn }] = await tagsToChoose(api)
      return { topic, tags, mayPostIn: publishIn }
    },
    head: (_, __, say) => ({ title: say('topic.editTitle', { kind: 'topic' }), isPrivate: true }),
  },
  {
    path: '/addQuestion',
    file: './screens/add-question.tsx',
    load: async ({ api, isMember }) => {
      const { tags } = await api.read<typeof listTags>('/tag/list', {}, { shared: true })
      if (!isMember) return { tags, askIn: [], mostTags: 1, newcomer: null, offering: null, giving: null }
      const [{ askIn }, { newcomer, mostTags }, offering, giving] = await Promise.all([
        api.read<typeof myTags>('/tag/mine', {}),
        api.read<typeof topicForm>('/topic/form', {}),
        api.read<typeof bountyForm>('/bounty/form', {}),
        api.read<typeof envelopeForm>('/redEnvelope/form', {}),
      ])
      return { tags, askIn, mostTags, newcomer, offering, giving }
    },
    head: (_, __, say) => ({ title: say('question.addTitle'), isPrivate: true }),
  },
  {
    path: '/user/editQuestion',
    file: './screens/edit-question.tsx',
    load: async ({ api, url }) => {
      const questionId = idIn(url.searchParams, 'questionId') ?? ''
      const topic = await api.read<typeof editableTopic>('/user/editTopic', { topicId: questionId })
      if (topic.kind === 'topic') throw redirect(`/user/editTopic?topicId=${questionId}`)
      const [{ tags }, { askIn }] = await tagsToChoose(api)
      return { topic, tags, mayPostIn: askIn }
    },
    head: (_, __, say) => ({ title: say('topic.editTitle', { kind: 'question' }), isPrivate: true }),
  },
  ...memberships,
  ...messages,
  ...providerScreens,
  ...memberScreens,
]

function tagsToChoose(api: Api) {
  return Promise.all([api.read<typeof listTags>('/tag/list', {}, { shared: true }), api.read<typeof myTags>('/tag/mine', {})])
}

/** The screens whose metadata the browser loads on demand. One without a head takes its title from the member area. */
export const otherScreens: readonly Screen[] = others.map((screen) => ({
  head: (data, _, say) => memberPageHead(screen.path, data, say),
  ...screen,
}))

/** Every screen of the members' site. Any other address leads to the index. */
export const screens: readonly Screen[] = [...readingScreens, ...otherScreens]
