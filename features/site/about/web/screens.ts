import type { about } from '#about/contract.ts'
import type { Output } from '#base/contract.ts'
import type { Screen } from '#base/web/screen.ts'

export const screens: readonly Screen[] = [
  {
    path: '/about',
    file: '/features/site/about/web/about-page.tsx',
    load: ({ api }) => api.read<typeof about>('/about', {}, { shared: true }),
    head: ({ says }: Output<typeof about>, language, say) => ({
      title: say('about.title'),
      ...(says[language] && { description: says[language] }),
      canonical: '/about',
    }),
    isPublic: true,
    isRare: true,
  },
]
