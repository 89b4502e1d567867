import type { Screen } from '#base/web/screen.ts'
import type { feedbackForm } from '#feedback/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/feedback',
    file: '/features/site/feedback/web/feedback-page.tsx',
    load: ({ api }) => api.read<typeof feedbackForm>('/feedback/form', {}),
    head: (_, __, say) => ({ title: say('site.feedback'), isPrivate: true }),
  },
]
