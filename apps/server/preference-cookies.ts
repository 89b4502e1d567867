import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { chooseLanguage } from '#base/language.ts'
import { parameterOf } from '#base/query-string.ts'
import { safeReturnPath } from '#base/return-path.ts'

const yearInSeconds = 365 * 86_400

/** Addresses of forms that work without scripts: each keeps a choice in its cookie and leads back. */
export function servePreferences(app: FastifyInstance): void {
  /** `/language?to=en&back=/index`. Where scripts run, the page switches in place instead. */
  app.get('/language', async ({ url }, reply) => {
    const code = chooseLanguage(parameterOf(url, 'to'), null, null)
    return keep(reply, `language=${code}; Path=/; Max-Age=${yearInSeconds}`, parameterOf(url, 'back'))
  })
  /** Whoever is at a desktop goes on as at a phone on the page they came from, where the site is for phones only (section 1). */
  app.get('/device', async ({ headers }, reply) => keep(reply, 'accessModule=mobile; Path=/', cameFrom(headers)))
}

function keep(reply: FastifyReply, choice: string, back: string | null): FastifyReply {
  return reply.header('set-cookie', `${choice}; SameSite=Lax`).header('cache-control', 'no-store').redirect(wayBack(back), 303)
}

function cameFrom({ host, referer = '' }: IncomingHttpHeaders): string | null {
  if (!URL.canParse(referer)) return null
  const from = new URL(referer)
  return from.host === host ? from.pathname + from.search : null
}

// The login and the form of who is new are pages like any other here.
function wayBack(back: string | null): string {
  return back && /^\/(login|register)(\?[\w=&%-]{0,3000})?$/.test(back) ? back : safeReturnPath(back)
}
