import { answerIn, apiBy, attempt, CallFailed, succeeded } from '#base/web/call.ts'
import type { BrowserApi, CallPort } from '#base/web/api.ts'
import { promptFor, promptLoginInstead } from '#staff/admin/staff.tsx'

// Authentication calls, whose errors appear in their own form.
const atTheDoor = new Set(['/admin/signIn', '/admin/signInForm', '/admin/prove'])

/**
 * The API of staff. After an expired session, or for an action that requires re-authentication, the call waits for the person and is sent
 * again, so that no input is lost.
 */
export function staffApi(port: CallPort): BrowserApi {
  return apiBy(port, async (wanted) => {
    for (;;) {
      const heard = await attempt(port, wanted, null)
      const shows = { 401: 'signIn', 428: 'prove' } as const
      const what = atTheDoor.has(wanted.path) ? undefined : shows[heard.status as keyof typeof shows]
      if (wanted.path === '/admin/prove' && heard.status === 401) {
        promptLoginInstead()
        throw new CallFailed(heard.status, '')
      }
      if (!what) return answerIn(port, succeeded(port, wanted, heard))
      if (wanted.options.background || !(await promptFor(what))) throw new CallFailed(heard.status, '')
    }
  })
}
