import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { chooseLanguage } from '#base/language.ts'
import { queryParameter } from '#base/query-string.ts'
import { safeReturnPath } from '#base/return-path.ts'

const yearInSeconds = 365 * 86_400

/** Targets of forms that work without scripts: each stores a choice in its cookie and redirects back. */
export function servePreferences(app: FastifyInstance): void {
  /** `/language?to=en&back=/index`. With scripts, the page switches in place instead. */
  app.get('/language', async ({ url }, reply) => {
    const code = chooseLanguage(queryParameter(url, 'to'), null, null)
    return setPreference(reply, `language=${code}; Path=/; Max-Age=${yearInSeconds}`, queryParameter(url, 'back'))
  })
  /** Continues with the phone layout on the same page, for desktops on a site for phones only (section 1). */
  app.get('/device', async ({ headers }, reply) => setPreference(reply, 'accessModule=mobile; Path=/', refererPath(headers)))
}

function setPreference(reply: FastifyReply, choice: string, back: string | null): FastifyReply {
  return reply.header('set-cookie', `${choice}; SameSite=Lax`).header('cache-control', 'no-store').redirect(returnPath(back), 303)
}

function refererPath({ host, referer = '' }: IncomingHttpHeaders): string | null {
  if (!URL.canParse(referer)) return null
  const from = new URL(referer)
  return from.host === host ? from.pathname + from.search : null
}

// Login and registration are allowed here, like any other page.
function returnPath(back: string | null): string {
  return back && /^\/(login|register)(\?[\w=&%-]{0,3000})?$/.test(back) ? back : safeReturnPath(back)
}
