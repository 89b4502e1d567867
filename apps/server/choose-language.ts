import type { FastifyInstance } from 'fastify'
import { chooseLanguage } from '#base/language.ts'
import { parameterOf } from '#base/query-string.ts'
import { safeReturnPath } from '#base/return-path.ts'

const yearInSeconds = 365 * 86_400

/** `/language?to=en&back=/index` keeps the choice and leads back. Where scripts run, the page switches in place instead. */
export function serveLanguage(app: FastifyInstance): void {
  app.get('/language', async ({ url }, reply) => {
    const code = chooseLanguage(parameterOf(url, 'to'), null, null)
    return reply
      .header('set-cookie', `language=${code}; Path=/; Max-Age=${yearInSeconds}; SameSite=Lax`)
      .header('cache-control', 'no-store')
      .redirect(wayBack(parameterOf(url, 'back')), 303)
  })
}

// The login is a page like any other here.
function wayBack(back: string | null): string {
  return back && /^\/login(\?|$)/.test(back) ? back : safeReturnPath(back)
}
