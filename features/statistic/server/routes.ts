import { anyone, on } from '#base/server/route.ts'
import { addPageView } from '#statistic/contract.ts'
import { note } from '#statistic/server/statistic.ts'

export const routes = [
  on(
    addPageView,
    anyone,
    async ({ input, from }) => {
      note(from, input)
      return {}
    },
    { takesStale: true, limits: [{ times: 240, seconds: 60, by: 'ip' }] },
  ),
]
