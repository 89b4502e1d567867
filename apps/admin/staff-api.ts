import { answerIn, apiBy, attempt, CallFailed, succeeded } from '#base/web/call.ts'
import type { BrowserApi, CallPort } from '#base/web/api.ts'
import { askFor, askToSignInInstead } from '#staff/admin/staff.tsx'

// These are how one shows who one is; what they refuse is told in their own form.
const atTheDoor = new Set(['/admin/signIn', '/admin/signInForm', '/admin/prove'])

/**
 * The API as staff use it. Where the session has ended, or a deed wants it shown once more who is there, the call waits for the
 * person to show it, and is sent again: nothing that was typed is lost.
 */
export function staffApi(port: CallPort): BrowserApi {
  return apiBy(port, async (wanted) => {
    for (;;) {
      const heard = await attempt(port, wanted, null)
      const shows = { 401: 'signIn', 428: 'prove' } as const
      const what = atTheDoor.has(wanted.path) ? undefined : shows[heard.status as keyof typeof shows]
      if (wanted.path === '/admin/prove' && heard.status === 401) {
        askToSignInInstead()
        throw new CallFailed(heard.status, '')
      }
      if (!what) return answerIn(port, succeeded(port, wanted, heard))
      if (wanted.options.background || !(await askFor(what))) throw new CallFailed(heard.status, '')
    }
  })
}
