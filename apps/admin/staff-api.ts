import { parseAnswer, createApi, sendOnce, CallFailed, assertSuccess } from '#base/web/call.ts'
import type { BrowserApi, CallPort } from '#base/web/api.ts'
import { promptFor, promptLoginInstead } from '#staff/admin/staff.tsx'

// Authentication calls, whose errors appear in their own form.
const authenticationPaths = new Set(['/admin/signIn', '/admin/signInForm', '/admin/prove'])

/**
 * The API of staff. After an expired session, or for an action that requires re-authentication, the call waits for the person and is sent
 * again, so that no input is lost.
 */
export function staffApi(port: CallPort): BrowserApi {
  return createApi(port, async (request) => {
    for (;;) {
      const answer = await sendOnce(port, request, null)
      const shows = { 401: 'signIn', 428: 'prove' } as const
      const what = authenticationPaths.has(request.path) ? undefined : shows[answer.status as keyof typeof shows]
      if (request.path === '/admin/prove' && answer.status === 401) {
        promptLoginInstead()
        throw new CallFailed(answer.status, '')
      }
      if (!what) return parseAnswer(port, assertSuccess(port, request, answer))
      if (request.options.background || !(await promptFor(what))) throw new CallFailed(answer.status, '')
    }
  })
}
